// Package mig is how a GPU is cut into instances (MIG): which profiles it
// offers, where they may lie, and which sets of them fit together.
//
// Mental model: the memory of a GPU is a row of slots (8; 4 on the A30), and a
// profile is a brick: so many slots wide, and it may begin only at certain
// slots. A set of bricks is possible when none overlap, no profile has more than
// its maximum, at most one has the media engines (+me) and the compute slices
// suffice (7 of 8 slots carry one). All else follows: counting slices is not
// enough, because bricks cannot lie anywhere, and the order of creation matters,
// because nothing moves once it lies.
//
// The tables are embedded, with a source for every group of figures; what
// nobody found is unknown and printed as -. [Tables.Find] gives a [Device]; the
// rest are pure functions of it: [Device.Check], [Device.Starts],
// [Device.Maximal], [Device.Place], [Device.Partition].
package mig
