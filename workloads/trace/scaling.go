package trace

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"gpusim/sim/event"
	"gpusim/workloads"
)

// factor is a decimal number as a fraction; the zero factor is 1.
type factor struct{ num, den uint64 }

// newFactor reads a factor as it was written: 0.1 is exactly one tenth.
func newFactor(f *float64) (factor, error) {
	if f == nil {
		return factor{}, nil
	}
	if math.IsNaN(*f) || math.IsInf(*f, 0) || *f < 0 {
		return factor{}, fmt.Errorf("%v is not a factor; write a number from 0 on", *f)
	}
	text := strconv.FormatFloat(*f, 'f', -1, 64)
	whole, part, _ := strings.Cut(text, ".")
	num, err := strconv.ParseUint(whole+part, 10, 64)
	if err != nil || len(part) > 18 {
		return factor{}, fmt.Errorf("%v has more digits than a factor may have", *f)
	}
	return factor{num, pow10[len(part)]}, nil
}

// of multiplies a time, rounding half away from zero; ok is false beyond the
// range of times.
func (f factor) of(t event.Time) (scaled event.Time, ok bool) {
	if f.den == 0 || f.num == f.den {
		return t, true
	}
	u := uint64(t)
	if t < 0 {
		u = -u
	}
	hi, lo := bits.Mul64(u, f.num)
	var carry uint64
	lo, carry = bits.Add64(lo, f.den/2, 0)
	hi += carry
	if hi >= f.den {
		return 0, false
	}
	q, _ := bits.Div64(hi, lo, f.den)
	if q > uint64(farthest) {
		return 0, false
	}
	if t < 0 {
		return -event.Time(q), true
	}
	return event.Time(q), true
}

// scaling puts a job on the run's clock: shift first, then scale.
type scaling struct {
	keep             bool
	submit, duration factor
}

func newScaling(o Options) (scaling, error) {
	s := scaling{keep: o.Shift == "keep"}
	var err1, err2 error
	s.submit, err1 = newFactor(o.Scale.Submit)
	s.duration, err2 = newFactor(o.Scale.Duration)
	return s, errors.Join(err1, err2)
}

func (s *scaling) shifted(t, first event.Time) event.Time {
	if s.keep {
		return t
	}
	return t - first
}

// fits checks that the last submission and the longest job still are times.
func (s *scaling) fits(t *tally) error {
	if _, ok := s.submit.of(s.shifted(t.lastSubmit, t.first)); !ok {
		return errors.New("option scale.submit: the last submission would lie beyond the range of times (146 years)")
	}
	if _, ok := s.duration.of(t.longest); !ok {
		return errors.New("option scale.duration: the longest job would run longer than times can say (146 years)")
	}
	return nil
}

// apply changes the job's times; fits has been asked before.
func (s *scaling) apply(j *workloads.Job, first event.Time) {
	j.Submit, _ = s.submit.of(s.shifted(j.Submit, first))
	j.Duration, _ = s.duration.of(j.Duration)
	if j.Outcome != workloads.OutcomeOK {
		j.OutcomeAfter, _ = s.duration.of(j.OutcomeAfter)
	}
}
