package table

import "unsafe"

// Bytes is Text for a text in a buffer; it is copied before Bytes returns.
func (b *Batch) Bytes(col int, s []byte) {
	b.Text(col, unsafe.String(unsafe.SliceData(s), len(s)))
}
