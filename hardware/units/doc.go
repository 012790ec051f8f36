// Package units reads and writes the quantities that people put into files:
// lengths of time, bytes, rates, CPU cores, shares of a GPU.
//
// Mental model: every quantity is an exact integer of a small unit
// (nanoseconds, bytes, thousandths); text is read without floating point, and
// String gives the canonical text, which reads back as the same value. Where a
// bare number could mean several things (bytes, rates) it is refused.
package units
