package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Variation is a key of the scenario and the values it takes in turn.
type Variation struct {
	Path   string
	Values []string
}

// ParseVariation reads PATH=V1,V2,... Values are YAML: commas inside brackets
// and quotes do not part them. One list in brackets is the list of values.
func ParseVariation(text string) (Variation, error) {
	bad := func(format string, args ...any) (Variation, error) {
		return Variation{}, fmt.Errorf("--vary %s: %s; write PATH=V1,V2,..., such as policy.backfill=none,easy", text, fmt.Sprintf(format, args...))
	}
	path, list, ok := strings.Cut(text, "=")
	if path = strings.TrimSpace(path); !ok || path == "" {
		return bad("there is no PATH=")
	}
	if path == "seed" {
		return Variation{}, fmt.Errorf("--vary seed: every variant runs with the same seeds; use --seeds A..B")
	}
	values, err := splitValues(list)
	if err != nil {
		return bad("%v", err)
	}
	if only := values[0]; len(values) == 1 && strings.HasPrefix(only, "[") && strings.HasSuffix(only, "]") {
		if values, err = splitValues(only[1 : len(only)-1]); err != nil {
			return bad("%v", err)
		}
	}
	for i, v := range values {
		switch {
		case v == "":
			return bad("value %d is empty", i+1)
		case slices.Contains(values[:i], v):
			return bad("the value %s is given twice", v)
		}
	}
	return Variation{path, values}, nil
}

// splitValues splits at the commas that are outside brackets and quotes.
func splitValues(s string) ([]string, error) {
	var values []string
	var open []byte // closing brackets that are due
	quote, from, fresh := byte(0), 0, true
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0:
			switch {
			case c == '\\' && quote == '"':
				i++
			case c == quote:
				quote = 0
			}
			continue
		case (c == '"' || c == '\'') && fresh:
			quote = c
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case c == '}' || c == ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return nil, fmt.Errorf("%c closes nothing", c)
			}
			open = open[:len(open)-1]
		case c == ',' && len(open) == 0:
			values = append(values, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
		// A quote opens a text only where a value begins.
		fresh = strings.IndexByte("{[,:", c) >= 0 || fresh && c == ' '
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote %c is not closed", quote)
	}
	if len(open) > 0 {
		return nil, fmt.Errorf("%c is missing", open[len(open)-1])
	}
	return append(values, strings.TrimSpace(s[from:])), nil
}

// maxRuns is how many runs one comparison may have.
const maxRuns = 100_000

// ParseSeeds reads A..B, both included, or one seed.
func ParseSeeds(text string) ([]uint64, error) {
	bad := fmt.Errorf("--seeds %s: write a range such as 1..10", text)
	a, b, ok := strings.Cut(text, "..")
	if !ok {
		b = a
	}
	from, err := strconv.ParseUint(strings.TrimSpace(a), 10, 64)
	if err != nil {
		return nil, bad
	}
	to, err := strconv.ParseUint(strings.TrimSpace(b), 10, 64)
	switch {
	case err != nil || to < from:
		return nil, bad
	case to-from >= maxRuns:
		return nil, fmt.Errorf("--seeds %s: more than %d seeds", text, maxRuns)
	}
	var seeds []uint64
	for i := uint64(0); i <= to-from; i++ {
		seeds = append(seeds, from+i)
	}
	return seeds, nil
}

// product lists the settings of every variant: the cross product of the
// variations, the last one changing fastest.
func product(vary []Variation) [][]Setting {
	all := [][]Setting{nil}
	for _, v := range vary {
		var next [][]Setting
		for _, head := range all {
			for _, value := range v.Values {
				next = append(next, append(slices.Clone(head), Setting{v.Path, value}))
			}
		}
		all = next
	}
	return all
}
