// Package catalogue is the machines that gpusim knows: GPUs and node types.
//
// Mental model: embedded tables, one entry a GPU or node type, in which every
// figure says where it comes from. A figure that nobody found is unknown, never
// zero; one that was written from memory of a datasheet says so ([Memory]) and
// must not be used to prove anything. columns.csv describes the figures, with
// units; a new GPU is a row of gpus.csv, a new node type some rows of nodes.csv:
// no code. GB are 1e9 bytes, MiB and GiB powers of two; rates of computation
// are without sparsity. [Catalogue.With] lets users change and add entries of
// their own.
package catalogue
