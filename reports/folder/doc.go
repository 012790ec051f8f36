// Package folder makes the folder of a run appear whole or not at all, and opens
// it again.
//
// Mental model: [Create] makes a hidden folder beside the place that was asked
// for; tables and files are written there; [Folder.Commit] renames it into
// place in one step. Whoever looks at the place sees nothing (with force: the
// old folder) or everything. A run that dies leaves at most a hidden folder,
// ".NAME.partial-...", which [Open] does not take for a result.
//
// summary.json marks a folder as a run: its field "format" holds [Format].
// [Open] checks it and finds the tables, whichever format they are in.
package folder
