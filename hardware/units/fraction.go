package units

import (
	"fmt"
	"strings"
)

// Cores is a number of CPU cores in thousandths.
type Cores int64

// ParseCores reads 8, 1.5 or 250m as thousandths of a core.
func ParseCores(s string) (int64, error) {
	text := strings.TrimSpace(s)
	num, rest := number(text)
	unit := int64(1000)
	if rest == "m" {
		unit, rest = 1, ""
	}
	if num == "" || rest != "" {
		return 0, fmt.Errorf("%q is not a number of CPU cores; write 8, 1.5 or 250m", s)
	}
	v, err := whole(num, unit)
	if err != nil {
		return 0, fmt.Errorf("%q %w; write a number of CPU cores like 8, 1.5 or 250m", s, err)
	}
	return v, nil
}

// UnmarshalText is ParseCores.
func (c *Cores) UnmarshalText(text []byte) error {
	v, err := ParseCores(string(text))
	if err == nil {
		*c = Cores(v)
	}
	return err
}

// String writes whole cores or decimals: 8, 0.25.
func (c Cores) String() string { return fixed(uint64(c), 3) }

// MarshalText is String.
func (c Cores) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Share is a part of one GPU in thousandths, above 0 and below 1000.
type Share int

// ParseShare reads a decimal number above 0 and below 1 in steps of 0.001.
func ParseShare(s string) (int, error) {
	num, rest := number(strings.TrimSpace(s))
	v, err := whole(num, 1000)
	if err != nil || rest != "" || v < 1 || v > 999 {
		return 0, fmt.Errorf("%q is not a share of one GPU; write a number above 0 and below 1 in steps of 0.001, like 0.25", s)
	}
	return int(v), nil
}

// UnmarshalText is ParseShare.
func (f *Share) UnmarshalText(text []byte) error {
	v, err := ParseShare(string(text))
	if err == nil {
		*f = Share(v)
	}
	return err
}

// String writes 0.25.
func (f Share) String() string { return fixed(uint64(f), 3) }

// MarshalText is String.
func (f Share) MarshalText() ([]byte, error) { return []byte(f.String()), nil }
