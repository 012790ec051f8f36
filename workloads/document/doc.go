// Package document reads the YAML that people write, strictly, and says where
// and what is wrong. It is the only package that knows YAML.
//
// Mental model: a struct with tags is the one place where the keys of a
// document are declared, and four functions follow from it. [Parse] turns a file
// into a tree of [Node]s that know their line and column, with anchors expanded
// and merge keys merged; what could fill memory (depth, anchors that multiply)
// is refused. [Decode] fills the struct from the tree and collects every error
// of the document, not just the first: unknown keys (with the nearest known
// one), wrong kinds, bad quantities. [Marshal] writes a struct back so that it
// decodes to the same value, and [Schema] describes it as JSON Schema. Between
// the two, [Node.Set] applies settings from the command line.
//
// Texts are taken as they are written: id: 007 is the text 007, and no and on
// are texts. Quantities decode themselves (encoding.TextUnmarshaler), unions
// such as "a word or a mapping" through [Decoder], [Encoder] and [Describer].
package document
