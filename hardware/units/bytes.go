package units

import (
	"fmt"
	"math/big"
	"strings"
)

// Bytes is an amount of memory.
type Bytes int64

// byteUnits gives the factor of a unit of bytes: GB is 1e9, GiB and Gi are
// 2^30.
func byteUnit(s string) int64 {
	f, k, m := int64(1000), 0, s
	if n := strings.IndexAny(s, "KMGTPE"); n == 0 || strings.HasPrefix(s, "k") {
		k = 1 + strings.IndexByte("KMGTPE", strings.ToUpper(s[:1])[0])
		m = s[1:]
		if strings.HasPrefix(m, "i") {
			f, m = 1024, m[1:]
			if m == "" {
				m = "B" // Gi, as Kubernetes writes it
			}
		}
	}
	if m != "B" {
		return 0
	}
	u := int64(1)
	for ; k > 0; k-- {
		u *= f
	}
	return u
}

// ParseBytes reads 80GiB, 512MiB, 40GB, 80Gi or 0. Other bare numbers are
// refused: nobody can tell their unit.
func ParseBytes(s string) (int64, error) {
	text := strings.TrimSpace(s)
	num, unit := number(text)
	unit = strings.TrimSpace(unit)
	bad := func(why string) (int64, error) {
		return 0, fmt.Errorf("%q %s; write an amount of memory like 80GiB, 512MiB or 40GB", s, why)
	}
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
	f := byteUnit(unit)
	if f == 0 {
		return bad("has no unit of bytes")
	}
	v, err := scaled(num, big.NewRat(f, 1))
	if err != nil {
		return bad(err.Error())
	}
	return v, nil
}

// String writes the amount with the largest binary unit that divides it, else
// the largest decimal one.
func (b Bytes) String() string {
	if b == 0 {
		return "0"
	}
	for i, names := 5, "KMGTPE"; i >= 0; i-- {
		if u := int64(1) << (10 * (i + 1)); int64(b)%u == 0 {
			return fmt.Sprintf("%d%ciB", int64(b)/u, names[i])
		}
	}
	for _, u := range []struct {
		name string
		n    int64
	}{{"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}} {
		if int64(b)%u.n == 0 {
			return fmt.Sprintf("%d%s", int64(b)/u.n, u.name)
		}
	}
	return fmt.Sprintf("%dB", int64(b))
}

// UnmarshalText is ParseBytes.
func (b *Bytes) UnmarshalText(text []byte) error {
	v, err := ParseBytes(string(text))
	*b = Bytes(v)
	return err
}

// MarshalText is String.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }
