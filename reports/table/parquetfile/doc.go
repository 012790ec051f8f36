// Package parquetfile writes and reads Parquet files with parquet-go.
//
// Mental model: every call of Write appends to one page buffer a column; after
// enough rows the buffers become a row group. Whole numbers are stored as
// differences, which suits ids and counters; a text column whose first batch
// repeats itself gets a dictionary, any other is stored as lengths and bytes;
// everything is compressed with zstd at its fastest level. The choice looks at
// the rows only, so the same rows give the same bytes.
package parquetfile
