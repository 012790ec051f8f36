// Package scenarios turns a scenario file into a run with its reports.
//
// Mental model: [Load] reads the document strictly, checks everything that can
// be checked without running and holds it as a [Scenario]; [Scenario.Run]
// builds cluster, policy and jobs, runs the kernel with a recorder and writes
// the run folder. Check and Compare are loops around Run.
//
// The structs of this package declare every key of the file once: decoding,
// the resolved scenario of a run folder and the JSON Schema follow from them.
package scenarios
