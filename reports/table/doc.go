// Package table writes a table of typed columns as CSV, Arrow and Parquet, and
// reads it back.
//
// Mental model: a [Schema] names the columns and their kinds. [Open] makes a
// [Sink], which hands out a [Batch]; the caller sets every column of a row once
// and ends the row. Full batches are encoded by one goroutine of the sink, all
// formats in turn, so that the caller goes on meanwhile. [Read] loads a file as
// a [Frame], [Scan] walks through one row by row.
//
// The three files of a table say the same. Times, GPU-seconds and thousandths
// are kept as integers up to the pen: CSV has every digit, Arrow and Parquet
// have the float64 nearest to those digits. An absent value is an empty cell or
// a null. The one thing CSV cannot say is the difference between an absent text
// and an empty one.
//
// The same rows give the same bytes in every format, whatever the number of
// cores: where a batch ends depends on the rows only.
//
// Below stand reports/table/vector (plain columns), arrowfile (the only package
// that imports Arrow) and parquetfile.
package table
