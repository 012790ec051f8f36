// Package topology is how the GPUs and NICs of a node are joined: the matrix
// that nvidia-smi topo -m prints, printed, read and used.
//
// Mental model: a node is a table of links. A [Link] says what a message between
// two devices crosses, from NVLinks (the more the better) over PCIe switches
// (PIX, PXB), the host bridge (PHB) and its NUMA node (NODE) to the connection
// between sockets (SYS): [Link.Rank] puts them in order. [Node.Print] writes the
// table as the real tool does and [Read] reads it, also in the forms of old
// drivers and of texts that were copied from a terminal; the two are inverse.
// [Node.Pick] and [Node.Ring] choose GPUs that are near each other;
// [Buddy] hands out cells of a hierarchy.
//
// [Load] gives the nodes that gpusim knows: each is a file in the form of the
// tool itself, and nodes.csv says where each part comes from. What nobody found
// is N/A there, never guessed; see infer.go for the cells between NICs that
// follow from others.
package topology
