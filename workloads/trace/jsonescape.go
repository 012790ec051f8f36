package trace

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

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
