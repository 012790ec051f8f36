package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"gpusim/hardware/units"
	"gpusim/scenarios"
	"gpusim/sim/event"
)

// progress shows how a long run gets on, on a terminal only.
type progress struct {
	bar   *progressbar.ProgressBar
	start time.Time
	last  time.Time
}

func newProgress(io streams, s *scenarios.Scenario, wanted bool) *progress {
	p := &progress{start: time.Now()}
	width, tty := terminal(io.err)
	if !wanted || !tty {
		return p
	}
	p.bar = progressbar.NewOptions64(s.Size(), progressbar.OptionSetWriter(io.err), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(max(10, min(30, width-70))), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond))
	return p
}

// show draws the bar, after the first second and then ten times a second.
func (p *progress) show(now event.Time, events, ended uint64) {
	if p.bar == nil {
		return
	}
	t := time.Now()
	if t.Sub(p.start) < time.Second || t.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last = t
	p.bar.Describe(fmt.Sprintf("%v simulated, %.0f events/s", units.Duration(now-now%event.Minute), float64(events)/t.Sub(p.start).Seconds()))
	_ = p.bar.Set64(int64(ended))
}

func (p *progress) close() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
