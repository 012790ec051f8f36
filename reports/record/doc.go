// Package record watches a run and writes its tables.
//
// Mental model: a [Recorder] is an observer of the kernel. It keeps a compact
// row for each job (the jobs table is in order of submission, so rows wait for
// their job's end) and passes everything else straight on to its table:
// attempts as they end, GPU states as they change, the queue after each instant
// that changed it, reasons of waiting as they end. The figures of the summary
// come from the same rows (package reports/summary).
//
// Memory: about 150 bytes a job beside its id, and what is alive.
package record
