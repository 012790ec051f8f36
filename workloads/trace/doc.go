// Package trace reads logs of real clusters and hands out their jobs.
//
// Mental model: a file is a row of records, and a record either becomes a job
// or is set aside with a reason. [Open] reads everything once: it counts the
// records, names the reasons, and learns whether the file is in order of time
// and when its first job is submitted. [Trace.Jobs] reads the file again and
// yields the jobs in order of submission, straight from the file where it is
// sorted (the memory it takes does not grow with the file), from a packed copy
// where it is not. [Trace.Report] says what Open saw; nothing that was refused,
// skipped or repaired is missing from it.
//
// The way of one record: an input opens the file, unpacks it and looks at its
// encoding; a format's reader cuts it into records and says of each what it is
// (a row); the cursor applies what every format shares (where, limit, window,
// duplicates, names mapped); the tally counts the row, or a source turns it
// into a [workloads.Job] on the run's clock (shift, scale).
//
// A format is one file of this package and one line of [Formats].
//
// Times are whole nanoseconds from end to end; numbers are read as exact
// decimals and never pass through floating point.
package trace
