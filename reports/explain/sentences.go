package explain

import (
	"fmt"
	"strings"

	"gpusim/policies"
	"gpusim/sim/cluster"
)

// sentence is what a code means. {wants} is a number with its noun ("8 GPUs"),
// {free} the numbers at the first and the last look.
type sentence struct{ code, text string }

// waiting are the reasons to wait, by the codes of the table decisions.
func waiting() []sentence {
	return []sentence{
		{policies.WhyNoGPUs, "wants {wants}, {free} free"},
		{policies.WhyShape, "wants {wants}, {free} free, but not on nodes that have the shape, CPU and memory it asks for"},
		{policies.WhyBehind, "wants {wants}, {free} free, but a job ahead of it waits and the policy keeps the order"},
		{policies.WhyDelaysHead, "wants {wants}; to start now would delay the first job in the queue"},
		{policies.WhyOtherRow, "its row of jobs waits for its turn on the GPUs"},
		{policies.WhyReserved, "wants {wants}, {free} free, but they are planned for jobs ahead of it"},
		{policies.WhyOutranked, "jobs of higher rank take the GPUs: wants {wants}, {free} left for it"},
		{policies.WhyPromised, "its {wants} are promised to it; the jobs on them have their grace time"},
		{policies.WhyOwnGPUs, "suspended; it comes back on the same {wants}, which others use"},
		{policies.WhyThrottle, "as many elements of its array as may run at once are in the queue or running"},
		{policies.WhyDependency, "waits for jobs that it depends on"},
	}
}

// stops are the reasons why an attempt ends, in the words of the table
// attempts.
func stops() []sentence {
	return []sentence{
		{cluster.ReasonCompleted.String(), "the job completed"},
		{cluster.ReasonFailed.String(), "the job failed by itself"},
		{cluster.ReasonCancelled.String(), "the job was cancelled by its user"},
		{cluster.ReasonTimeLimit.String(), "the job was ended at its time limit"},
		{cluster.ReasonPreempted.String(), "preempted: jobs of higher rank took the GPUs"},
		{cluster.ReasonSuspended.String(), "suspended: jobs of higher rank took the GPUs"},
		{cluster.ReasonDependency.String(), "a job it depends on did not complete"},
		{cluster.ReasonHorizon.String(), "the run reached its horizon"},
		{cluster.ReasonRejected.String(), "the job was rejected"},
		{cluster.ReasonInterrupted.String(), "the run was interrupted"},
	}
}

func find(list []sentence, code string) (string, bool) {
	for _, s := range list {
		if s.code == code {
			return s.text, true
		}
	}
	return "", false
}

// waitSentence words a reason to wait, with its code.
func waitSentence(r *Reason) string {
	switch {
	case r.Code == "":
		return "no reason is on record"
	case r.Code == policies.WhyOutranked && r.Wanted == nil:
		return "jobs of higher rank have its GPUs (" + r.Code + ")"
	}
	text, ok := find(waiting(), r.Code)
	if !ok {
		return fmt.Sprintf("wants %s, %s free (%s: this gpusim has no words for it)", gpus(r.Wanted), free(r), r.Code)
	}
	return strings.NewReplacer("{wants}", gpus(r.Wanted), "{free}", free(r)).Replace(text) + " (" + r.Code + ")"
}

func gpus(n *int64) string {
	switch {
	case n == nil:
		return "GPUs"
	case *n == 1:
		return "1 GPU"
	}
	return fmt.Sprintf("%d GPUs", *n)
}

// free words what there was of what is wanted: "6 were", or both looks.
func free(r *Reason) string {
	if r.First == nil || r.Last == nil {
		return "some were"
	}
	were := "were"
	if *r.First == 1 {
		were = "was"
	}
	if *r.First == *r.Last {
		return fmt.Sprintf("%d %s", *r.First, were)
	}
	return fmt.Sprintf("%d and at last %d were", *r.First, *r.Last)
}

func stopSentence(code string) string {
	if text, ok := find(stops(), code); ok {
		return text
	}
	return code
}

// ending words how the job ended.
func (l *Life) ending() string {
	switch l.Status {
	case "":
		a := &l.Attempts[len(l.Attempts)-1]
		return "its last attempt on record ended at " + clock(a.End) + ": " + a.Text
	case "completed":
		return "completed at " + l.endText()
	case "rejected":
		why := l.Reason
		if why == "" {
			why = "no reason is on record"
		}
		return "rejected when it was submitted, because it can never run on this cluster: " + why
	case "failed":
		if l.Reason == cluster.ReasonTimeLimit.String() {
			limit := ""
			if l.TimeLimit != nil {
				limit = " of " + length(*l.TimeLimit)
			}
			return "failed at " + l.endText() + ": it was still running at its time limit" + limit + " (time_limit)"
		}
		return "failed at " + l.endText() + ", as its record says"
	case "cancelled":
		switch l.Reason {
		case cluster.ReasonDependency.String():
			return "cancelled at " + l.endText() + ": a job it depends on did not complete (dependency)"
		case cluster.ReasonPreempted.String():
			return "cancelled at " + l.endText() + ": it was preempted, and the policy cancels the jobs that it preempts"
		}
		return "cancelled at " + l.endText() + ", as its record says"
	}
	return l.unfinished()
}

// unfinished words where a job stood when the run ended.
func (l *Life) unfinished() string {
	when := "when the run ended"
	if l.runEnd != nil {
		when = "when the run ended at " + clock(Seconds(*l.runEnd))
	}
	switch l.Reason {
	case cluster.ReasonHorizon.String():
		when += " (its horizon)"
	case cluster.ReasonInterrupted.String():
		when += " (interrupted)"
	}
	n := len(l.Attempts)
	switch {
	case l.Eligible == nil && l.Start == nil:
		return "still held by a dependency " + when
	case n > 0 && l.Attempts[n-1].Reason == l.Reason:
		return "still running " + when
	case n == 0 && l.Start != nil:
		return "not finished " + when
	case l.Start != nil:
		return "waiting to go on " + when
	}
	return "still waiting for its first start " + when
}

func (l *Life) endText() string {
	if l.End == nil {
		return "an unknown time"
	}
	return clock(*l.End)
}
