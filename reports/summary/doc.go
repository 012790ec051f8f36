// Package summary turns the rows of a run into the figures of summary.json.
//
// Mental model: every figure is computed once, from integers, and rounded once
// to the nearest float64; sums run in order of submission. A figure without a
// basis (the mean of nothing) is null. Percentiles are linear (type 7 of
// Hyndman and Fan, The American Statistician 50(4), 1996).
package summary
