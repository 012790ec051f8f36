// Package units reads and writes the quantities that people put into files:
// lengths of time, bytes, rates, CPU cores, shares of a GPU.
//
// Mental model: every quantity is an exact integer of a small unit
// (nanoseconds, bytes, bytes a second, thousandths of a core or GPU). Text is
// read without floating point; String gives the canonical text, which reads
// back as the same value. Where a bare number could mean several things (bytes,
// rates) it is refused, and the error says what to write instead.
//
// The other way, from the simulator's integers to the figures of reports, goes
// through [FormatSeconds] and [FormatGPUSeconds]: exact decimals, with
// [SecondsFloat] and [GPUSecondsFloat] as the nearest float64 of the same text.
//
// The types implement encoding.TextUnmarshaler and TextMarshaler, so that a
// decoder needs to know nothing of them. Parsing costs about a microsecond.
package units
