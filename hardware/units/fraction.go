package units

import (
	"fmt"
	"math/big"
	"strings"
)

// Cores is a number of CPU cores in thousandths.
type Cores int64

// UnmarshalText reads 8, 1.5 or 250m.
func (c *Cores) UnmarshalText(b []byte) error {
	s := strings.TrimSpace(string(b))
	num, rest := number(s)
	unit := int64(1000)
	if rest == "m" {
		unit, rest = 1, ""
	}
	if num == "" || rest != "" {
		return fmt.Errorf("%q is not a number of CPU cores; write 8, 1.5 or 250m", s)
	}
	v, err := scaled(num, big.NewRat(unit, 1))
	if err != nil {
		return fmt.Errorf("%q %w; write a number of CPU cores like 8, 1.5 or 250m", s, err)
	}
	*c = Cores(v)
	return nil
}

// String writes whole cores or decimals.
func (c Cores) String() string { return decimals(uint64(c), 3) }

// MarshalText is String.
func (c Cores) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Share is a part of one GPU in thousandths, above 0 and below 1000.
type Share int

// UnmarshalText reads a decimal number in steps of 0.001.
func (f *Share) UnmarshalText(b []byte) error {
	s := strings.TrimSpace(string(b))
	num, rest := number(s)
	bad := fmt.Errorf("%q is not a share of one GPU; write a number above 0 and below 1 in steps of 0.001, like 0.25", s)
	if num == "" || rest != "" || len(num) > 20 {
		return bad
	}
	r, ok := new(big.Rat).SetString(num)
	if !ok {
		return bad
	}
	r.Mul(r, big.NewRat(1000, 1))
	if !r.IsInt() || !r.Num().IsInt64() || r.Num().Int64() < 1 || r.Num().Int64() > 999 {
		return bad
	}
	*f = Share(r.Num().Int64())
	return nil
}

// String writes 0.25.
func (f Share) String() string { return decimals(uint64(f), 3) }

// MarshalText is String.
func (f Share) MarshalText() ([]byte, error) { return []byte(f.String()), nil }
