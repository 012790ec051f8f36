// Package placement says where a job that may start is put.
//
// Mental model: a rule looks for one node that holds the whole gang, the best
// by its own measure. Where there is none and the job's shape allows it, the
// gang is spread over several nodes: the fewest the rule can do with (first-fit
// simply fills nodes in file order). A fixed shape (n GPUs a node) takes the
// best nodes one by one. Ties go to the node that stands first in the file,
// then to the lowest GPU index.
//
// A new rule is one file with a type that picks one node, and one line in
// Table.
package placement
