// Package document reads the YAML that people write, strictly, and says where
// and what is wrong. It is the only package that knows YAML.
//
// Mental model: [Parse] turns a file into a tree of [Node]s that know their
// line and column, with anchors expanded and merge keys merged. [Decode] fills
// a struct from a node by its yaml tags and collects every error of the
// document, not just the first: unknown keys (with the nearest known one),
// wrong kinds, bad quantities. [Marshal] writes a struct back so that it decodes
// to the same value, and [Schema] describes it as JSON Schema; the struct is
// the only place where a key is declared.
package document
