// Package vector is the plain shape of table data that every binary file
// format shares: whole numbers, floats, texts and flags, any of them absent.
//
// Mental model: a [Vector] is one column of some consecutive rows. A presence
// byte is kept for every row and one value slot too, absent or not, so that row
// i is always slot i. An absent slot holds the zero value: what is written to a
// file therefore depends on the rows alone and never on what the memory held
// before.
//
// Package reports/table knows seconds and GPU-seconds; the packages arrowfile
// and parquetfile know files; this package is all they have in common.
package vector
