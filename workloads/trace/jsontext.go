package trace

import (
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonText reads one JSON value that is all in memory, from left to right.
type jsonText struct {
	b     []byte
	i     int
	spare []byte // strings with escapes undone
}

var errJSON = errors.New("this is not JSON")

// peek skips blanks; 0 at the end.
func (p *jsonText) peek() byte {
	for ; p.i < len(p.b); p.i++ {
		switch c := p.b[p.i]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// take skips the byte that must come next.
func (p *jsonText) take(c byte) error {
	if p.peek() != c {
		return errJSON
	}
	p.i++
	return nil
}

// each walks an object ('{') or array ('['): visit gets the key of each member
// (nil in arrays) and must read the value.
func (p *jsonText) each(open byte, visit func(key []byte) error) error {
	if err := p.take(open); err != nil {
		return err
	}
	shut := open + 2
	if p.peek() == shut {
		p.i++
		return nil
	}
	for {
		var key []byte
		if open == '{' {
			var err error
			if key, err = p.str(); err != nil {
				return err
			}
			if err := p.take(':'); err != nil {
				return err
			}
		}
		if err := visit(key); err != nil {
			return err
		}
		switch p.peek() {
		case ',':
			p.i++
		case shut:
			p.i++
			return nil
		default:
			return errJSON
		}
	}
}

// str reads a string.
func (p *jsonText) str() ([]byte, error) {
	if p.peek() != '"' {
		return nil, errJSON
	}
	from := p.i + 1
	for i := from; i < len(p.b); i++ {
		switch p.b[i] {
		case '"':
			p.i = i + 1
			return p.b[from:i], nil
		case '\\':
			return p.escaped(from)
		}
	}
	return nil, errJSON
}

// scalar reads a string, number, true or false as text; null is nil.
func (p *jsonText) scalar() ([]byte, error) {
	switch p.peek() {
	case '"':
		return p.str()
	case '{', '[', 0:
		return nil, errJSON
	}
	from := p.i
	for p.i < len(p.b) {
		c := p.b[p.i]
		if c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\r' || c == '\t' {
			break
		}
		p.i++
	}
	word := p.b[from:p.i]
	switch string(word) {
	case "null":
		return nil, nil
	case "true", "false":
		return word, nil
	}
	if _, why := decimal(word, 9); why != "" && why != "out-of-range" {
		p.i = from
		return nil, errJSON
	}
	return word, nil
}

// skip reads any value.
func (p *jsonText) skip() error {
	switch c := p.peek(); c {
	case '{', '[':
		return p.each(c, func([]byte) error { return p.skip() })
	}
	_, err := p.scalar()
	return err
}

// escaped reads a string that begins at from and holds escapes.
func (p *jsonText) escaped(from int) ([]byte, error) {
	start := len(p.spare)
	for i := from; i < len(p.b); i++ {
		c := p.b[i]
		if c == '"' {
			p.i = i + 1
			return p.spare[start:], nil
		}
		if c != '\\' {
			p.spare = append(p.spare, c)
			continue
		}
		i++
		if i == len(p.b) {
			break
		}
		switch p.b[i] {
		case 'n':
			p.spare = append(p.spare, '\n')
		case 't':
			p.spare = append(p.spare, '\t')
		case 'r':
			p.spare = append(p.spare, '\r')
		case 'b':
			p.spare = append(p.spare, '\b')
		case 'f':
			p.spare = append(p.spare, '\f')
		case '"', '\\', '/':
			p.spare = append(p.spare, p.b[i])
		case 'u':
			r, ok := hex4(p.b, i+1)
			if !ok {
				p.i = i
				return nil, errJSON
			}
			i += 4
			if utf16.IsSurrogate(r) && i+2 < len(p.b) && p.b[i+1] == '\\' && p.b[i+2] == 'u' {
				if low, ok := hex4(p.b, i+3); ok {
					if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
						r = both
						i += 6
					}
				}
			}
			p.spare = utf8.AppendRune(p.spare, r)
		default:
			p.i = i
			return nil, errJSON
		}
	}
	return nil, errJSON
}

// hex4 reads four hexadecimal digits.
func hex4(b []byte, at int) (rune, bool) {
	if at+4 > len(b) {
		return 0, false
	}
	v, err := strconv.ParseUint(string(b[at:at+4]), 16, 16)
	return rune(v), err == nil
}
