package sim

import (
	"errors"
	"fmt"
	"io"
	"time"

	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
	"gpusim/workloads"
)

// Config is one simulation.
type Config struct {
	Cluster    *cluster.Cluster
	Source     workloads.Source
	Scheduler  policies.Scheduler
	Preemption policies.Preemption
	Observer   Observer // nil = none

	Horizon       event.Time // Never = until all jobs have ended
	RoundPerEvent bool       // a round after every end and submission
	EnforceLimits bool       // a job is killed at its time limit

	// References counts, for each id that some job depends on, the jobs that
	// carry it (the elements, for an array).
	References map[string]int

	// MaxIdle bounds the rounds and preemptions in a row without a job that is
	// submitted or ends, beyond which a run is refused as endless; 0 = 5 million.
	MaxIdle uint64

	// Debug recomputes every index from scratch after each round.
	Debug bool
	// Poll, if given, is called now and then; false stops the run.
	Poll func(now event.Time, events, ended uint64) bool
}

// Forever is the length of a job that never ends by itself. A run without a
// horizon ends at the last event before which nothing else can happen.
const Forever = event.Never / 4

// Result is what a run comes to.
type Result struct {
	Accounts
	Submitted, Completed, Failed, Rejected, Cancelled, Unfinished uint64

	First event.Time // first submission
	End   event.Time // last end, or the horizon; the window is [First, End]
	// Ran is false when no job ever ended or ran: there is no window.
	Ran bool

	Preemptions uint64
	Events      uint64
	Rounds      uint64
	Demand      Amount     // GPUs x duration of all jobs submitted
	LastSubmit  event.Time // of the last job submitted
	Complete    bool       // false: stopped by Poll
	Beyond      uint64     // jobs of the source that come at or after the horizon (0 or 1 is known: more may follow)
}

// SourceError is an error of the source, not of the simulation.
type SourceError struct{ Err error }

func (e SourceError) Error() string { return e.Err.Error() }
func (e SourceError) Unwrap() error { return e.Err }

// Run simulates. Memory follows the jobs alive, time the events. The error
// names a broken source or an impossible decision of the scheduler.
func Run(cfg Config) (*Result, error) {
	k := newKernel(cfg)
	if err := k.loop(); err != nil {
		return nil, err
	}
	return k.close()
}

// idleRounds is the default of Config.MaxIdle; so many take some seconds.
const idleRounds = 5_000_000

// phases of an instant; the event list orders by them.
const (
	phaseEnd  event.Phase = 1 // ends of jobs and of grace times
	phaseFree event.Phase = 3 // ends of reservations
	phaseWake event.Phase = 5 // timers of the scheduler
)

// kinds of events.
const (
	kindEnd uint8 = iota
	kindFree
	kindWake
)

// kernel is the state of a run.
type kernel struct {
	cfg    Config
	obs    Observer
	waited func(*cluster.Request) // obs.Waited, made once: a method value is an allocation
	c      *cluster.Cluster
	events *event.List
	now    event.Time

	next *workloads.Job // next arrival, nil after the last
	last event.Time     // submission of the one before

	live  []*cluster.Job // by Job.Slot
	slots []int32        // free places in live
	pool  []*cluster.Job
	alive int

	holds  holds
	round  policies.Round
	moved  movement
	pauses bool // some job stops work for its checkpoints
	unseen bool // a job joined the queue, or was cancelled, in the last round
	wake   event.Handle
	wakeAt event.Time

	alloc, idle meter
	res         Result
}

func newKernel(cfg Config) *kernel {
	k := &kernel{cfg: cfg, obs: cfg.Observer, c: cfg.Cluster, events: event.NewList(64), wakeAt: event.Never}
	if k.obs == nil {
		k.obs = Null{}
	}
	if k.cfg.MaxIdle == 0 {
		k.cfg.MaxIdle = idleRounds
	}
	k.waited = k.obs.Waited
	k.holds.init(cfg.References)
	k.res.First, k.res.Complete = event.Never, true
	for i := range cfg.Cluster.Spec().Reservations {
		k.events.Schedule(cfg.Cluster.Spec().Reservations[i].End, phaseFree, uint64(i), event.Event{Kind: kindFree})
	}
	return k
}

// pull reads the next arrival.
func (k *kernel) pull() error {
	j, err := k.cfg.Source.Next()
	if errors.Is(err, io.EOF) {
		k.next = nil
		return nil
	}
	if err != nil {
		return SourceError{fmt.Errorf("reading the next job: %w", err)}
	}
	if j.Submit < k.last {
		return SourceError{fmt.Errorf("job %s is submitted at %d ns, before the one ahead of it: the source must be in order of submission", j.ID, j.Submit)}
	}
	k.next, k.last = j, j.Submit
	return nil
}

// loop handles instant after instant.
func (k *kernel) loop() error {
	if err := k.pull(); err != nil {
		return err
	}
	polled := uint64(0)
	for {
		at, _, ok := k.events.Peek()
		if !ok {
			at = event.Never
		}
		if k.next != nil {
			at = min(at, k.next.Submit)
		}
		if at == event.Never || at > k.cfg.Horizon {
			return nil
		}
		if at > Forever {
			return fmt.Errorf("the jobs run on beyond %d years, which is as long as gpusim simulates; set a horizon", Forever/(365*event.Day))
		}
		k.now = at
		if err := k.instant(); err != nil {
			return err
		}
		if n := k.events.Fired() + k.res.Submitted; k.cfg.Poll != nil && n-polled >= 1024 {
			polled = n
			if !k.cfg.Poll(k.now, n, k.ended()) {
				k.res.Complete = false
				return nil
			}
		}
		if at == k.cfg.Horizon {
			return nil
		}
	}
}

func (k *kernel) ended() uint64 {
	return k.res.Completed + k.res.Failed + k.res.Cancelled + k.res.Rejected
}

// instant handles everything due now: ends, submissions and a round, until
// nothing is left.
func (k *kernel) instant() error {
	last := k.now == k.cfg.Horizon
	need := false // a round for all that has happened
	after := func() error {
		if !k.cfg.RoundPerEvent || last {
			need = true
			return nil
		}
		need = false // the round sees what the timers were for
		return k.decide()
	}
	for {
		due := false
		for {
			at, _, ok := k.events.Peek()
			if !ok || at != k.now {
				break
			}
			_, ev, _ := k.events.Next()
			due = true
			switch ev.Kind {
			case kindWake:
				k.wakeAt = event.Never
				need = true
				continue
			case kindFree:
				need = true
				continue
			}
			k.end(k.live[ev.A])
			if err := after(); err != nil {
				return err
			}
		}
		for !last && k.next != nil && k.next.Submit == k.now {
			due = true
			k.submit(k.next)
			if err := k.pull(); err != nil {
				return err
			}
			if err := after(); err != nil {
				return err
			}
		}
		if last || !due && !need && !k.unseen {
			break
		}
		if need || k.unseen {
			need = false
			if err := k.decide(); err != nil {
				return err
			}
		}
	}
	k.obs.Instant(k.now)
	return nil
}

// decide runs one round and applies what it decided.
func (k *kernel) decide() error {
	r := &k.round
	k.unseen = false
	if err := k.endless(); err != nil {
		return err
	}
	k.updateAll()
	r.Reset(k.now, k.c, k.waited)
	k.res.Rounds++
	k.cfg.Scheduler.Round(r)
	if err := r.Err(); err != nil {
		return fmt.Errorf("the scheduler %T at %d ns: %w", k.cfg.Scheduler, k.now, err)
	}
	for _, d := range r.Decisions() {
		if d.Preempt {
			k.preempt(d.Job)
		} else {
			k.start(d.Job)
		}
	}
	if s, ok := k.cfg.Scheduler.(policies.Waker); ok {
		s.Wake(r)
	}
	if w := r.Wake(); w != event.Never {
		if w <= k.now {
			return fmt.Errorf("the scheduler %T asked at %d ns for a round at %d ns", k.cfg.Scheduler, k.now, w)
		}
		if w != k.wakeAt {
			k.events.Cancel(k.wake)
			k.wake = k.events.Schedule(w, phaseWake, 0, event.Event{Kind: kindWake})
			k.wakeAt = w
		}
	} else if k.wakeAt != event.Never {
		k.events.Cancel(k.wake)
		k.wakeAt = event.Never
	}
	k.meter()
	if k.cfg.Debug {
		return k.verify()
	}
	return nil
}

// movement is the last time a job was submitted or ended.
type movement struct {
	jobs  uint64 // submitted and ended by then
	idle  uint64 // rounds and preemptions by then
	round uint64
	at    event.Time
}

// endless reports jobs that take the GPUs from each other for ever, and orders
// that rank them again at every nanosecond.
func (k *kernel) endless() error {
	if n := k.res.Submitted + k.ended(); n != k.moved.jobs {
		k.moved = movement{n, k.idleSteps(), k.res.Rounds, k.now}
	}
	if k.idleSteps()-k.moved.idle < k.cfg.MaxIdle {
		return nil
	}
	return fmt.Errorf("no job ended in %d scheduling rounds, from %v to %v, with %d jobs alive and %d preemptions so far: jobs are ranked again, or take the GPUs from each other, faster than they get on; set a longer quantum, ageing or min_run, larger queues or promote, or a horizon",
		k.res.Rounds-k.moved.round, time.Duration(k.moved.at), time.Duration(k.now), k.alive, k.res.Preemptions)
}

// idleSteps counts what a run without end would do for ever: rounds, and
// preemptions but for those of rows that take turns, which each get their slice.
func (k *kernel) idleSteps() uint64 {
	if k.cfg.Preemption.Kind == policies.PreemptSlices {
		return k.res.Rounds
	}
	return k.res.Rounds + k.res.Preemptions
}

// meter notes the levels that changed.
func (k *kernel) meter() {
	if k.res.First == event.Never {
		return
	}
	if free := k.c.FreeAll(); free != k.idle.level {
		k.idle.set(k.now, free)
	}
}

// verify compares every index with what is recomputed.
func (k *kernel) verify() error {
	var held []cluster.Holding
	for _, j := range k.live {
		if j != nil && (j.State == cluster.Running || j.State == cluster.Stopping) {
			held = append(held, cluster.Holding{Request: j.Req, Chunks: j.Chunks})
		}
	}
	if err := k.c.Verify(held); err != nil {
		return fmt.Errorf("debug at %d ns: %w", k.now, err)
	}
	if err := k.cfg.Scheduler.Check(&k.round); err != nil {
		return fmt.Errorf("debug at %d ns: %w", k.now, err)
	}
	return nil
}

// close ends the run: what is alive is unfinished, and the accounts must add
// up.
func (k *kernel) close() (*Result, error) {
	res := &k.res
	if k.next != nil {
		res.Beyond = 1
	}
	end := res.End // last end
	if k.alive > 0 || !res.Complete {
		if k.cfg.Horizon != event.Never && res.Complete {
			k.now = k.cfg.Horizon
		}
		if res.First != event.Never {
			end = max(end, k.now)
			res.Ran = true
		}
	}
	why := cluster.ReasonHorizon
	if !res.Complete {
		why = cluster.ReasonInterrupted
	}
	for _, j := range k.inOrder() {
		if j.State == cluster.Running || j.State == cluster.Stopping {
			k.advance(j, k.now)
			save(j)
			k.obs.Stopped(j, k.now, why)
			k.take(j)
			k.c.Give(j.Req, j.Chunks)
		}
		if j.State == cluster.Waiting || j.State == cluster.Suspended {
			j.Waited += k.now - j.WaitSince
		}
		if j.State == cluster.Held && j.Blocked == 0 {
			j.Waited = k.now - j.Eligible // behind its array's throttle
		}
		k.round.Reset(k.now, k.c, k.waited)
		k.round.EndWhy(j.Req)
		res.Unfinished++
		k.settleAccounts(j)
		k.obs.Ended(j, k.now, why)
	}
	res.End = end
	res.Events = k.events.Fired() + res.Submitted
	if !res.Ran {
		return res, nil
	}
	k.alloc.set(end, 0)
	k.idle.set(end, 0)
	res.Allocated, res.Idle = k.alloc.sum, k.idle.sum
	res.Capacity.Add(int64(k.c.GPUs())*1000, end-res.First)
	if !res.Check() {
		return res, fmt.Errorf("the accounts do not add up: capacity %v, allocated %v, idle %v, productive %v, lost %v, overhead %v (thousandths of GPU-nanoseconds)",
			res.Capacity, res.Allocated, res.Idle, res.Productive, res.Lost, res.Overhead)
	}
	return res, nil
}
