package trace

import (
	"fmt"
	"strings"
	"testing"

	"gpusim/sim/event"
)

func TestTiresias(t *testing.T) {
	tr := mustOpen(t, "tiresias", "testdata/tiresias.csv", Options{})
	rep := tr.Report()
	is(t, "records", rep.Records, int64(7))
	is(t, "accepted", rep.Accepted, int64(3))
	counted(t, rep, "not-a-number", Rejected, 1, 5)
	counted(t, rep, "never-started", Skipped, 1, 6)
	counted(t, rep, "duplicate-id", Rejected, 1, 7)
	counted(t, rep, "negative", Rejected, 1, 8)
	counted(t, rep, "unknown-column", Noted, 1, 1)
	jobs := all(t, tr)
	is(t, "order", times(jobs), "0@0+164 2@25+127 1@30+147.5")
	is(t, "name", jobs[2].Name, "vgg11")
	is(t, "length", jobs[2].Duration, 147500*event.Millisecond)

	rep = mustOpen(t, "tiresias", shared(t, "traces", "tiresias", "60_job.csv"), Options{}).Report()
	is(t, "public jobs", rep.Accepted, int64(60))
	is(t, "public GPU time", rep.GPUSeconds, Decimal("26624"))
	is(t, "public last submission", rep.LastSubmit, Decimal("1779"))
	is(t, "public issues", len(rep.Issues), 0)
}

func BenchmarkTiresias(b *testing.B) {
	var s strings.Builder
	s.WriteString("job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n")
	for i := range 100_000 {
		fmt.Fprintf(&s, "%d,%d,%d,606,vgg%d,%d,30\n", i, 1<<(i%4), 30*i, i%5, 7919*i%3600+1)
	}
	bench(b, "tiresias", s.String(), Options{})
}
