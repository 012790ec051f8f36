package compare

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is that of every interval.
const Confidence = 0.95

// Estimate is the mean of a figure over seeds.
type Estimate struct {
	N    int         `json:"n"` // seeds that gave the figure
	Mean *float64    `json:"mean"`
	SE   *float64    `json:"standard_error"` // nil with less than two seeds
	CI   *[2]float64 `json:"ci95"`           // Student t with n-1 degrees of freedom
}

// Of estimates the mean of values; nil values (a figure without a basis) are
// left out. The sum runs in the order given.
func Of(values []*float64) Estimate {
	var xs []float64
	for _, v := range values {
		if v != nil {
			xs = append(xs, *v)
		}
	}
	e := Estimate{N: len(xs)}
	if len(xs) == 0 {
		return e
	}
	mean := stat.Mean(xs, nil)
	e.Mean = &mean
	if len(xs) < 2 {
		return e
	}
	n := float64(len(xs))
	se := math.Sqrt(stat.Variance(xs, nil) / n)
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile((1+Confidence)/2) * se
	e.SE, e.CI = &se, &[2]float64{mean - half, mean + half}
	return e
}

// Half is half the width of the interval.
func (e *Estimate) Half() (float64, bool) {
	if e.CI == nil {
		return 0, false
	}
	return (e.CI[1] - e.CI[0]) / 2, true
}

// Apart reports whether zero lies outside the interval.
func (e *Estimate) Apart() bool { return e.CI != nil && (e.CI[0] > 0 || e.CI[1] < 0) }

// Differences returns a - b, seed by seed; nil where either is.
func Differences(a, b []*float64) []*float64 {
	d := make([]*float64, min(len(a), len(b)))
	for i := range d {
		if a[i] != nil && b[i] != nil {
			x := *a[i] - *b[i]
			d[i] = &x
		}
	}
	return d
}

// UnpairedSE is the standard error that the difference of two means would have
// if the seeds were not common to both: what pairing saves.
func UnpairedSE(a, b Estimate) (float64, bool) {
	if a.SE == nil || b.SE == nil {
		return 0, false
	}
	return math.Hypot(*a.SE, *b.SE), true
}
