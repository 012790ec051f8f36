package trace

import (
	"errors"
	"math/big"
	"strings"

	"gpusim/workloads/document"
)

// duplicateKey tells the error of a repeated key from others.
func duplicateKey(message string) bool {
	return strings.HasPrefix(message, "key ") && strings.Contains(message, "is already set in line")
}

// kubeQuantity reads a quantity of Kubernetes in units of 10^-places, rounded
// up; exact says whether nothing was rounded. Suffixes: n u m, k M G T P E, Ki
// Mi Gi Ti Pi Ei; an exponent (1e3) may stand before them.
func kubeQuantity(text string, places int) (v int64, exact bool, why string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, false, "missing"
	}
	if len(text) > 64 {
		return 0, false, "out-of-range"
	}
	n := 0 // bytes of the number
	for n < len(text) && (text[n] >= '0' && text[n] <= '9' || text[n] == '.' || n == 0 && (text[n] == '+' || text[n] == '-')) {
		n++
	}
	number := text[:n]
	rest := text[n:]
	if len(rest) > 1 && (rest[0] == 'e' || rest[0] == 'E') {
		m := 1
		if rest[m] == '+' || rest[m] == '-' {
			m++
		}
		from := m
		for m < len(rest) && rest[m] >= '0' && rest[m] <= '9' {
			m++
		}
		if m > from {
			if m-from > 2 {
				return 0, false, "out-of-range"
			}
			number, rest = number+rest[:m], rest[m:]
		}
	}
	digits := strings.Trim(number, "+-.")
	if digits == "" || digits[0] < '0' || digits[0] > '9' || strings.Count(number, ".") > 1 {
		return 0, false, "not-a-number"
	}
	value, ok := new(big.Rat).SetString(number)
	if !ok {
		return 0, false, "not-a-number"
	}
	unit := kubeSuffix(rest)
	if unit == nil {
		return 0, false, "bad-quantity"
	}
	value.Mul(value, unit)
	value.Mul(value, new(big.Rat).SetInt(new(big.Int).SetUint64(pow10[places])))
	if value.Sign() < 0 {
		return 0, false, "negative"
	}
	q, rem := new(big.Int).QuoRem(value.Num(), value.Denom(), new(big.Int))
	if rem.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	if !q.IsInt64() {
		return 0, false, "out-of-range"
	}
	return q.Int64(), rem.Sign() == 0, ""
}

// kubeSuffix is the unit of a suffix, nil for one that is none.
func kubeSuffix(s string) *big.Rat {
	power := func(base, n int64) *big.Rat {
		return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(base), big.NewInt(n), nil))
	}
	switch s {
	case "":
		return big.NewRat(1, 1)
	case "n":
		return big.NewRat(1, 1_000_000_000)
	case "u":
		return big.NewRat(1, 1_000_000)
	case "m":
		return big.NewRat(1, 1000)
	case "k":
		return power(1000, 1)
	}
	letter, binary := strings.CutSuffix(s, "i")
	i := strings.Index("KMGTPE", letter)
	switch {
	case len(letter) != 1 || i < 0:
		return nil
	case binary:
		return power(1024, int64(i+1))
	case i == 0:
		return nil // K is none of the units, k is
	}
	return power(1000, int64(i+1))
}

// kubeErrors gives the errors of a document to the items of a list in it. apart
// says that all of them are repeated keys within items, so that the other items
// can be used.
func kubeErrors(err error, items *document.Node) (parts map[int]error, apart bool) {
	parts = map[int]error{}
	if err == nil {
		return parts, true
	}
	var all document.Errors
	if !errors.As(err, &all) || items == nil || len(items.Items) == 0 {
		return parts, false
	}
	for _, e := range all {
		in := -1
		for i, item := range items.Items {
			if item.Line < e.Line || item.Line == e.Line && item.Column <= e.Column {
				in = i
			}
		}
		if in < 0 || !duplicateKey(e.Message) || e.Column < items.Items[in].Column { // the last: it is further out
			return parts, false
		}
		var before document.Errors
		errors.As(parts[in], &before)
		parts[in] = append(before, e)
	}
	return parts, true
}
