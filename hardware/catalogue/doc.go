// Package catalogue is the machines that gpusim knows: GPUs and node types.
//
// Mental model: embedded tables, one row a GPU or node type, in which every
// figure says where it comes from. A figure that nobody found is unknown, never
// zero; one that was written from memory of a datasheet says so and must not be
// used to prove anything. A new GPU is a row of gpus.csv, no code.
package catalogue
