package document

import (
	"reflect"

	"github.com/invopop/jsonschema"

	"gpusim/hardware/units"
)

// quantitySchema describes a type that reads itself from a text. Those of
// package units say which numbers they take.
func quantitySchema(t reflect.Type) *jsonschema.Schema {
	s := types("string", "number")
	switch t {
	case reflect.TypeFor[units.Duration]():
		s.Minimum = "0"
		s.Examples = []any{"90s", "1h30m", "7d", 20.5}
	case reflect.TypeFor[units.Bytes]():
		s.Minimum, s.Maximum = "0", "0" // a number needs a unit, so it is a text
		s.Pattern = `^\s*([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*([kKMGTPE]?B|[KMGTPE]iB?)\s*$|^\s*0\s*$`
		s.Examples = []any{"80GiB", "512MiB", "40GB"}
	case reflect.TypeFor[units.Rate]():
		s.Minimum, s.Maximum = "0", "0"
		s.Pattern = `^\s*([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*([kKMGTPE]|[KMGTPE]i)?[Bb]/s\s*$|^\s*0\s*$`
		s.Examples = []any{"900GB/s", "400Gb/s"}
	case reflect.TypeFor[units.Cores]():
		s.Minimum = "0"
		s.Examples = []any{8, 1.5, "250m"}
	case reflect.TypeFor[units.Share]():
		s.ExclusiveMinimum, s.ExclusiveMaximum = "0", "1"
		s.Examples = []any{0.25}
	}
	return s
}
