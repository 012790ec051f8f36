// Package arrowfile writes and reads Arrow IPC files. It is the only package of
// the module that imports Arrow, so that another release of the library is a
// change in one place.
//
// Mental model: the memory of a [vector.Vector] already has Arrow's layout for
// numbers, texts and offsets, and is written as it is; only presence and flags
// are packed to bits. One call of Write is one record batch. Texts are plain
// UTF-8 columns, not dictionaries, because a dictionary of a file cannot grow
// from batch to batch; nothing is compressed, because browsers read only that.
// Doc, unit and kind of a column stand in its metadata.
package arrowfile
