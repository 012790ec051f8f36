package summary

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"

	"gpusim/sim"
	"gpusim/sim/event"
)

// Dist is the distribution of one measure over jobs; nil pointers are null.
type Dist struct {
	Mean *json.Number `json:"mean"`
	P50  *json.Number `json:"p50"`
	P95  *json.Number `json:"p95"`
	P99  *json.Number `json:"p99"`
	Max  *json.Number `json:"max"`
}

// Times is the distribution of times in seconds. It sorts its argument.
// Cost O(n log n).
func Times(ts []event.Time) Dist {
	if len(ts) == 0 {
		return Dist{}
	}
	slices.Sort(ts)
	sum := new(big.Int)
	part := int64(0) // many times fit one int64
	for _, t := range ts {
		if part > 1<<61 {
			sum.Add(sum, big.NewInt(part))
			part = 0
		}
		part += int64(t)
	}
	sum.Add(sum, big.NewInt(part))
	den := new(big.Int).Mul(big.NewInt(int64(len(ts))), big.NewInt(1e9))
	p := func(num int64) *json.Number { return percentile(ts, num) }
	return Dist{Mean: ratio(sum, den), P50: p(50), P95: p(95), P99: p(99), Max: p(100)}
}

// percentile is the type 7 quantile num/100 of sorted times.
func percentile(ts []event.Time, num int64) *json.Number {
	pos := int64(len(ts)-1) * num
	k, rest := pos/100, pos%100
	v := new(big.Int).Mul(big.NewInt(int64(ts[k])), big.NewInt(100))
	if rest > 0 {
		v.Add(v, new(big.Int).Mul(big.NewInt(int64(ts[k+1]-ts[k])), big.NewInt(rest)))
	}
	return ratio(v, big.NewInt(100e9))
}

// ratio is num/den as the shortest decimal of the nearest float64.
func ratio(num, den *big.Int) *json.Number {
	if den.Sign() == 0 {
		return nil
	}
	f, _ := new(big.Rat).SetFrac(num, den).Float64()
	return number(f)
}

func number(f float64) *json.Number {
	n := json.Number(strconv.FormatFloat(f, 'g', -1, 64))
	if f == 0 {
		n = "0"
	}
	return &n
}

// Values is the distribution of plain numbers. It sorts its argument after
// summing it in the order given.
func Values(vs []float64) Dist {
	if len(vs) == 0 {
		return Dist{}
	}
	sum := 0.0
	for _, v := range vs {
		sum += v
	}
	mean := sum / float64(len(vs))
	slices.Sort(vs)
	p := func(num int) *json.Number {
		pos := (len(vs) - 1) * num
		k, rest := pos/100, pos%100
		v := vs[k]
		if rest > 0 {
			v += (vs[k+1] - vs[k]) * float64(rest) / 100
		}
		return number(v)
	}
	return Dist{Mean: number(mean), P50: p(50), P95: p(95), P99: p(99), Max: p(100)}
}

// Seconds is a time as an exact decimal number of seconds.
func Seconds(t event.Time) *json.Number {
	n := json.Number(decimal(big.NewInt(int64(t)), 9))
	return &n
}

// amount is an amount of GPU time as exact decimal GPU-seconds.
func amount(a sim.Amount) *json.Number {
	n := json.Number(decimal(wide(a), 12))
	return &n
}

func wide(a sim.Amount) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(a.Hi), 64)
	return v.Add(v, new(big.Int).SetUint64(a.Lo))
}

// decimal writes v / 10^digits without trailing zeros.
func decimal(v *big.Int, digits int) string {
	neg := v.Sign() < 0
	s := new(big.Int).Abs(v).String()
	for len(s) <= digits {
		s = "0" + s
	}
	whole, frac := s[:len(s)-digits], s[len(s)-digits:]
	for len(frac) > 0 && frac[len(frac)-1] == '0' {
		frac = frac[:len(frac)-1]
	}
	if frac != "" {
		whole += "." + frac
	}
	if neg {
		whole = "-" + whole
	}
	return whole
}
