package trace

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// confLine is one logical line of a file of Slurm's: Key=value words, comments
// gone, continuations joined.
type confLine struct {
	line  int64
	text  string
	words []confWord
}

// confWord is one word; key is empty for one without an equals sign.
type confWord struct{ key, value string }

// get is the value of a key, in any case.
func (l *confLine) get(keys ...string) (string, bool) {
	for _, w := range l.words {
		for _, k := range keys {
			if strings.EqualFold(w.key, k) {
				return w.value, true
			}
		}
	}
	return "", false
}

// readConf takes a file of Slurm's apart; n is how many lines it has.
func readConf(r io.Reader) (list []confLine, n int64, err error) {
	in := newLines(r)
	var open *confLine
	for {
		b, err := in.next()
		if err == io.EOF {
			if open != nil {
				list = append(list, *open)
			}
			for i := range list {
				list[i].words = confWords(list[i].text)
			}
			return list, in.n, nil
		}
		if err != nil {
			return nil, in.n, err
		}
		text := uncomment(clean(bytes.TrimRight(b, " \t")))
		goesOn := strings.HasSuffix(text, `\`)
		text = strings.TrimSuffix(text, `\`)
		if open == nil {
			open = &confLine{line: in.n}
		}
		open.text += text + " "
		if len(open.text) > recordLimit {
			return nil, in.n, &limitError{line: open.line}
		}
		if goesOn {
			continue
		}
		if strings.TrimSpace(open.text) != "" {
			list = append(list, *open)
		}
		open = nil
	}
}

// uncomment drops what stands behind a hash sign; \# is one.
func uncomment(s string) string {
	for i := range len(s) {
		if s[i] == '#' && (i == 0 || s[i-1] != '\\') {
			return strings.TrimRight(s[:i], " \t")
		}
	}
	return s
}

// confWords cuts a line at blanks that are not in quotes.
func confWords(s string) []confWord {
	var words []confWord
	var word strings.Builder
	quoted := false
	flush := func() {
		if word.Len() == 0 {
			return
		}
		key, value, ok := strings.Cut(word.String(), "=")
		if !ok {
			key, value = "", word.String()
		}
		words = append(words, confWord{key, value})
		word.Reset()
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case (c == ' ' || c == '\t' || c == '\r') && !quoted:
			flush()
		default:
			word.WriteByte(c)
		}
	}
	flush()
	return words
}

// hostsMost is how many names a list of hosts may stand for.
const hostsMost = 1 << 20

// expandHosts writes out gpu[001-004,010],cpu1,rack[0-1]n[0-3].
func expandHosts(s string) ([]string, error) {
	var list []string
	for _, part := range splitResources(s) {
		names := []string{""}
		for part != "" {
			from := strings.IndexByte(part, '[')
			if from < 0 {
				from = len(part)
			}
			head := part[:from]
			var tails []string
			if from < len(part) {
				to := strings.IndexByte(part, ']')
				if to < from {
					return nil, fmt.Errorf("%q has a bracket that is not closed", s)
				}
				var err error
				if tails, err = expandRanges(part[from+1 : to]); err != nil {
					return nil, fmt.Errorf("%q: %w", s, err)
				}
				part = part[to+1:]
			} else {
				tails, part = []string{""}, ""
			}
			if len(names)*len(tails) > hostsMost {
				return nil, fmt.Errorf("%q stands for more than %d names", s, hostsMost)
			}
			next := make([]string, 0, len(names)*len(tails))
			for _, n := range names {
				for _, t := range tails {
					next = append(next, n+head+t)
				}
			}
			names = next
		}
		if list = append(list, names...); len(list) > hostsMost {
			return nil, fmt.Errorf("%q stands for more than %d names", s, hostsMost)
		}
	}
	return list, nil
}

// expandRanges writes out 001-004,010 with the zeros in front.
func expandRanges(s string) ([]string, error) {
	var list []string
	for _, r := range strings.Split(s, ",") {
		low, high, many := strings.Cut(strings.TrimSpace(r), "-")
		if !many {
			high = low
		}
		a, err1 := strconv.ParseUint(low, 10, 31)
		b, err2 := strconv.ParseUint(high, 10, 31)
		if err1 != nil || err2 != nil || b < a {
			return nil, fmt.Errorf("%q is no range of numbers", r)
		}
		if b-a >= hostsMost || len(list)+int(b-a) >= hostsMost || len(low) > 20 {
			return nil, fmt.Errorf("%q stands for more than %d names", r, hostsMost)
		}
		for v := a; v <= b; v++ {
			list = append(list, fmt.Sprintf("%0*d", len(low), v))
		}
	}
	return list, nil
}
