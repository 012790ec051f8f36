package trace

import (
	"fmt"
	"strings"
	"testing"

	"gpusim/sim/event"
	"gpusim/workloads"
)

func TestJobcomp(t *testing.T) {
	tr := mustOpen(t, "slurm-jobcomp", "testdata/jobcomp.log", Options{})
	rep := tr.Report()
	is(t, "records", rep.Records, int64(10))
	is(t, "accepted", rep.Accepted, int64(4))
	counted(t, rep, "no-submit", Noted, 3, 2)
	counted(t, rep, "cancelled-before-start", Skipped, 1, 4)
	counted(t, rep, "duplicate-id", Noted, 1, 6)
	counted(t, rep, "time-backwards", Rejected, 1, 7)
	counted(t, rep, "bad-time", Rejected, 1, 8)
	counted(t, rep, "duplicate-key", Rejected, 1, 9)
	counted(t, rep, "bad-quantity", Rejected, 1, 10)
	counted(t, rep, "not-a-job", Rejected, 1, 11)
	counted(t, rep, "limit-exceeded", Noted, 1, 1)
	jobs := all(t, tr)
	j := byID(t, jobs, "7")
	is(t, "texts", fmt.Sprintf("%s|%s|%s|%s", j.User, j.Tenant, j.Queue, j.Name), "ann|proj|gpu|train big")
	is(t, "size", fmt.Sprint(j.GPUs, j.CPUMilli, j.Memory), fmt.Sprint(8, 16000, int64(64<<30)))
	is(t, "wait", j.RecordedWait, event.Minute)
	is(t, "limit", j.TimeLimit, 30*event.Minute)
	j = byID(t, jobs, "8")
	is(t, "name with an equals sign", j.Name, "x=y z=w")
	is(t, "GPUs of two nodes", j.GPUs, 4)
	is(t, "no wait is made up", j.HasRecordedWait, false)
	is(t, "no limit", j.HasLimit, false)
	is(t, "outcome", j.Outcome, workloads.OutcomeFail)
	is(t, "element", byID(t, jobs, "10_3").GPUs, 1)
	is(t, "requeued", byID(t, jobs, "10_3#2").Duration, event.Minute)
	rep = open(t, "slurm-jobcomp", "JobId=1 JobState=COMPLETED StartTime=2026-01-01T00:00:00 EndTime=2026-01-01T00:00:10 ProcCnt=2\n", Options{}).Report()
	counted(t, rep, "unknown-gpu", Noted, 1, 0)
	is(t, "a CPU job", rep.Accepted, int64(1))
}

func BenchmarkJobcomp(b *testing.B) {
	var s strings.Builder
	for i := range 50_000 {
		day, h, m, sec := 1+i/3600/24, i/3600%24, i/60%60, i%60
		fmt.Fprintf(&s, "JobId=%d UserId=u%d(%d) GroupId=g(5) Name=train JobState=COMPLETED Partition=gpu TimeLimit=60 StartTime=2026-01-%02dT%02d:%02d:%02d EndTime=2026-02-01T00:00:00 NodeList=n1 NodeCnt=1 ProcCnt=16 WorkDir=/w ReservationName= Tres=cpu=16,mem=64G,node=1,billing=16,gres/gpu=8 Account=a QOS=n WcKey= Cluster=c SubmitTime=2026-01-%02dT%02d:%02d:%02d EligibleTime=2026-01-01T00:00:00 DerivedExitCode=0:0 ExitCode=0:0\n",
			i, i%50, i%50, day, h, m, sec, day, h, m, sec)
	}
	bench(b, "slurm-jobcomp", s.String(), Options{})
}
