package units

import (
	"fmt"
	"strings"
)

// Bytes is an amount of memory in bytes.
type Bytes int64

// prefix reads k, M, Gi and so on off the front of a unit: its factor, and what
// is left.
func prefix(unit string) (factor int64, binary bool, rest string) {
	if unit == "" {
		return 1, false, ""
	}
	power := 1 + strings.IndexByte("KMGTPE", unit[0])
	if unit[0] == 'k' {
		power = 1
	}
	if power == 0 {
		return 1, false, unit
	}
	rest = unit[1:]
	step := int64(1000)
	if strings.HasPrefix(rest, "i") {
		step, binary, rest = 1024, true, rest[1:]
	}
	for factor = 1; power > 0; power-- {
		factor *= step
	}
	return factor, binary, rest
}

// ParseBytes reads 80GiB, 512MiB, 40GB, 80Gi or 0, to the nearest byte; GB is
// 1e9 and GiB 2^30. Other bare numbers are refused: nobody can tell their unit.
func ParseBytes(s string) (int64, error) {
	bad := func(why string) (int64, error) {
		return 0, fmt.Errorf("%q %s; write an amount of memory like 80GiB, 512MiB or 40GB", s, why)
	}
	text := strings.TrimSpace(s)
	num, unit := number(text)
	unit = strings.TrimSpace(unit)
	switch {
	case strings.HasPrefix(text, "-"):
		return bad("is negative")
	case num == "":
		return bad("has no number")
	case unit == "" && num == "0":
		return 0, nil
	case unit == "":
		return bad("has no unit")
	}
	factor, binary, rest := prefix(unit)
	if rest != "B" && !(binary && rest == "") { // Gi is how Kubernetes writes GiB
		return bad("has no unit of bytes")
	}
	v, err := scaled(num, factor)
	if err != nil {
		return bad(err.Error())
	}
	return v, nil
}

// String writes the shortest text that ParseBytes reads back as the same
// amount.
func (b Bytes) String() string {
	if b == 0 {
		return "0"
	}
	return shortest(int64(b), []scale{
		{"EiB", 1 << 60}, {"PiB", 1 << 50}, {"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
		{"EB", 1e18}, {"PB", 1e15}, {"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1},
	})
}

// UnmarshalText is ParseBytes.
func (b *Bytes) UnmarshalText(text []byte) error {
	v, err := ParseBytes(string(text))
	if err == nil {
		*b = Bytes(v)
	}
	return err
}

// MarshalText is String.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }
