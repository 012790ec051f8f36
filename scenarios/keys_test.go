package scenarios

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"

	"gpusim/policies/order"
	"gpusim/policies/preemption"
	"gpusim/reports/table"
	"gpusim/workloads/document"
	"gpusim/workloads/trace"
)

// The scenario that keys are changed in: two racks, partitions, CPUs counted,
// jobs that wait, are preempted and depend on each other.
const keyBase = `
apiVersion: gpusim/v1
kind: Scenario
name: keys
cluster:
  nodes:
    - {name: a, gpu: A100-SXM4-80GB, gpus: 8, cpus: 64, memory: 512GiB, rack: r0, labels: {pool: x}}
    - {count: 2, name: b, gpu: A100-SXM4-80GB, gpus: 4, cpus: 32, memory: 256GiB, rack: r1, labels: {pool: y}}
    - {name: c, gpu: H100-SXM5-80GB, gpus: 4, cpus: 32, memory: 256GiB, rack: r1, labels: {pool: z}}
  partitions:
    left: {nodes: [a]}
    right: {labels: {pool: z}}
workload:
  jobs:
    - {id: j0, submit: 0s, duration: 100s, gpus: 8, cpus: 16, time_limit: 200s, partition: left}
    - {id: j1, submit: 1s, duration: 50s, gpus: 4, user: u, tenant: t, queue: q, kind: training, name: one}
    - {id: j2, submit: 2s, duration: 60s, gpus: 8, time_limit: 70s}
    - {id: j3, submit: 3s, duration: 40s, gpus: 2, depends_on: [j1]}
    - {id: j4, submit: 4s, duration: 30s, gpus: 1, array: "0-3%2"}
    - {id: j5, submit: 5s, duration: 20s, gpus: 4, priority: 3, node_selector: {pool: z}}
    - {id: j6, submit: 6s, duration: 20s, gpus: 6, max_nodes: 3, deadline: 30s}
    - {id: j7, submit: 7s, duration: 20s, gpu_fraction: 0.5}
    - {id: j8, submit: 8s, duration: 90s, gpus: 4, nodes: 2, gpus_per_node: 2}
policy: {order: fifo, backfill: easy, placement: best-fit}
`

// keyChanges gives, for each key of the scenario file, a change that must
// change a result. Some need a base of their own (settings made in both runs).
var keyChanges = map[string]struct {
	base   []string
	change string
}{
	"name":                              {nil, "name=other"},
	"seed":                              {[]string{"policy.placement=random"}, "seed=2"},
	"epoch":                             {nil, "epoch=2026-01-01T00:00:00Z"},
	"horizon":                           {nil, "horizon=60s"},
	"cluster.nodes.count":               {nil, "cluster.nodes[1].count=3"},
	"cluster.nodes.name":                {nil, "cluster.nodes[1].name=bb"},
	"cluster.nodes.type":                {[]string{"cluster.nodes[2]={name: c, type: dgx-a100, labels: {pool: z}}"}, "cluster.nodes[2].type=dgx-h100"},
	"cluster.nodes.gpu":                 {nil, "cluster.nodes[2].gpu=T4"},
	"cluster.nodes.gpus":                {nil, "cluster.nodes[0].gpus=9"},
	"cluster.nodes.cpus":                {nil, "cluster.nodes[0].cpus=8"},
	"cluster.nodes.memory":              {[]string{"workload.jobs[0].memory=64GiB"}, "cluster.nodes[0].memory=32GiB"},
	"cluster.nodes.rack":                {[]string{"policy.placement=consolidate", "workload.jobs[0].partition=", "workload.jobs[0].gpus=12"}, "cluster.nodes[2].rack=r0"},
	"cluster.nodes.labels":              {[]string{"workload.jobs[5].gpus=5"}, "cluster.nodes[0].labels={pool: z}"},
	"cluster.reservations.name":         {[]string{"policy.backfill=conservative", "cluster.reservations=[{name: r, start: 50s, end: 500s, nodes: [c]}]"}, "cluster.reservations[0].name=s"},
	"cluster.reservations.start":        {[]string{"cluster.reservations=[{name: r, start: 50s, end: 500s, nodes: [a]}]"}, "cluster.reservations[0].start=300s"},
	"cluster.reservations.end":          {[]string{"cluster.reservations=[{name: r, start: 50s, end: 500s, nodes: [a]}]"}, "cluster.reservations[0].end=60s"},
	"cluster.reservations.nodes":        {[]string{"cluster.reservations=[{name: r, start: 50s, end: 500s, nodes: [a]}]"}, "cluster.reservations[0].nodes=[c]"},
	"cluster.reservations.tenants":      {[]string{"cluster.reservations=[{name: r, start: 50s, end: 500s, nodes: [b-0, b-1, c]}]"}, "cluster.reservations[0].tenants=[t]"},
	"cluster.partitions.nodes":          {nil, "cluster.partitions.left={nodes: [b-0..b-1]}"},
	"cluster.partitions.labels":         {[]string{"workload.jobs[5].partition=right", "workload.jobs[5].node_selector={}"}, "cluster.partitions.right.labels={pool: x}"},
	"workload.jobs.id":                  {nil, "workload.jobs[2].id=other"},
	"workload.jobs.name":                {nil, "workload.jobs[1].name=two"},
	"workload.jobs.user":                {nil, "workload.jobs[1].user=v"},
	"workload.jobs.tenant":              {nil, "workload.jobs[1].tenant=v"},
	"workload.jobs.queue":               {nil, "workload.jobs[1].queue=v"},
	"workload.jobs.kind":                {nil, "workload.jobs[1].kind=batch"},
	"workload.jobs.submit":              {nil, "workload.jobs[1].submit=9s"},
	"workload.jobs.duration":            {nil, "workload.jobs[1].duration=51s"},
	"workload.jobs.gpus":                {nil, "workload.jobs[1].gpus=3"},
	"workload.jobs.gpu_fraction":        {nil, "workload.jobs[7].gpu_fraction=0.25"},
	"workload.jobs.gpus_per_node":       {[]string{"workload.jobs[8].nodes=null"}, "workload.jobs[8].gpus_per_node=4"},
	"workload.jobs.nodes":               {[]string{"workload.jobs[8].gpus_per_node=null"}, "workload.jobs[8].nodes=4"},
	"workload.jobs.max_nodes":           {nil, "workload.jobs[6].max_nodes=1"},
	"workload.jobs.gpu_type":            {nil, "workload.jobs[1].gpu_type=H100-SXM5-80GB"},
	"workload.jobs.cpus":                {nil, "workload.jobs[0].cpus=65"},
	"workload.jobs.memory":              {nil, "workload.jobs[0].memory=513GiB"},
	"workload.jobs.partition":           {nil, "workload.jobs[1].partition=right"},
	"workload.jobs.node_selector":       {nil, "workload.jobs[5].node_selector={pool: x}"},
	"workload.jobs.time_limit":          {nil, "workload.jobs[0].time_limit=100s"},
	"workload.jobs.priority":            {[]string{"policy.order=priority"}, "workload.jobs[2].priority=9"},
	"workload.jobs.deadline":            {nil, "workload.jobs[6].deadline=1h"},
	"workload.jobs.depends_on":          {nil, "workload.jobs[3].depends_on=[j2]"},
	"workload.jobs.array":               {nil, "workload.jobs[4].array=0-3%1"},
	"workload.jobs.checkpoint":          {[]string{"policy.backfill=greedy", "policy.order=smallest-first", "policy.preemption=checkpoint"}, "workload.jobs[0].checkpoint={restart: 5s}"},
	"workload.jobs.checkpoint.interval": {[]string{"policy.backfill=greedy", "policy.order=smallest-first", "policy.preemption=checkpoint", "workload.jobs[0].checkpoint={restart: 5s}"}, "workload.jobs[0].checkpoint.interval=30s"},
	"workload.jobs.checkpoint.cost":     {[]string{"policy.backfill=greedy", "policy.order=smallest-first", "policy.preemption=checkpoint", "workload.jobs[0].checkpoint={interval: 5s}"}, "workload.jobs[0].checkpoint.cost=2s"},
	"workload.jobs.checkpoint.restart":  {[]string{"policy.backfill=greedy", "policy.order=smallest-first", "policy.preemption=checkpoint", "workload.jobs[0].checkpoint={restart: 5s}"}, "workload.jobs[0].checkpoint.restart=6s"},
	"workload.jobs.outcome":             {nil, "workload.jobs[1].outcome={fail_after: 10s}"},
	"policy.order":                      {nil, "policy.order=largest-first"},
	"policy.backfill":                   {nil, "policy.backfill=none"},
	"policy.placement":                  {nil, "policy.placement=worst-fit"},
	"policy.preemption":                 {[]string{"policy.order=smallest-first", "policy.backfill=greedy"}, "policy.preemption=kill"},
	"policy.rounds":                     {[]string{"workload.jobs[2].submit=1s", "policy.order=largest-first", "policy.backfill=greedy", "workload.jobs[2].node_selector={pool: y}"}, "policy.rounds=event"},
	"policy.enforce_time_limits":        {[]string{"workload.jobs[2].time_limit=30s"}, "policy.enforce_time_limits=true"},
	"reports.tables":                    {nil, "reports.tables=[jobs]"},
	"order.priority.ageing":             {[]string{"policy.order=priority"}, "policy.order={name: priority, ageing: 1s}"},
	"order.gittins.services":            {[]string{"policy.order={name: gittins, services: [20, 400], quantum: 10s}", "policy.backfill=greedy", "policy.preemption=checkpoint"}, "policy.order.services=[100]"},
	"order.gittins.quantum":             {[]string{"policy.order={name: gittins, services: [20, 400], quantum: 10s}", "policy.backfill=greedy", "policy.preemption=checkpoint"}, "policy.order.quantum=150s"},
	"order.fair.half_life":              {[]string{"policy.order={name: fair, half_life: 1000d}", "policy.backfill=none", "workload.jobs[0].gpus=7", "workload.jobs[0].partition=", "workload.jobs[0].user=v", "workload.jobs[2].user=u", "workload.jobs[4].user=v"}, "policy.order.half_life=1s"},
	"order.fair.by":                     {[]string{"policy.order={name: fair}", "policy.backfill=none", "workload.jobs[0].user=v", "workload.jobs[4].user=w", "workload.jobs[8].user=u"}, "policy.order.by=tenant"},
	"order.las.quantum":                 {[]string{"policy.order={name: las, quantum: 10s}", "policy.backfill=greedy", "policy.preemption=checkpoint"}, "policy.order.quantum=1000s"},
	"order.tiresias.queues":             {[]string{"policy.order={name: tiresias, queues: [50]}", "policy.backfill=greedy", "policy.preemption=checkpoint"}, "policy.order.queues=[400]"},
	"order.tiresias.promote":            {[]string{"policy.order={name: tiresias, queues: [50]}", "policy.backfill=greedy", "policy.preemption=checkpoint"}, "policy.order.promote=0.5"},
	"order.tiresias.ties":               {[]string{"policy.order={name: tiresias, queues: [50]}", "policy.backfill=greedy", "policy.preemption=checkpoint"}, "policy.order.ties=running-first"},
	"slices.slice":                      {[]string{"policy.backfill=none", "policy.preemption={name: gang-slices, slice: 30s}"}, "policy.preemption.slice=20s"},
	"slices.switch":                     {[]string{"policy.backfill=none", "policy.preemption={name: gang-slices, slice: 30s}"}, "policy.preemption.switch=2s"},
	"preemption.interval":               {[]string{"policy.order=smallest-first", "policy.backfill=greedy", "policy.preemption=checkpoint"}, "policy.preemption.interval=30s"},
	"preemption.cost":                   {[]string{"policy.order=smallest-first", "policy.backfill=greedy", "policy.preemption=checkpoint"}, "policy.preemption.cost=3s"},
	"preemption.restart":                {[]string{"policy.order=smallest-first", "policy.backfill=greedy", "policy.preemption=kill"}, "policy.preemption.restart=3s"},
	"preemption.min_run":                {[]string{"policy.order=smallest-first", "policy.backfill=greedy", "policy.preemption=kill"}, "policy.preemption.min_run=30s"},
	"preemption.grace":                  {[]string{"policy.order=smallest-first", "policy.backfill=greedy", "policy.preemption=kill"}, "policy.preemption.grace=3s"},
	"workload.trace.path":               {[]string{"T"}, "workload.trace.path=T2"},
	"workload.trace.format":             {[]string{"T"}, "workload.trace.format=csv"},
	"workload.trace.limit":              {[]string{"T"}, "workload.trace.limit=2"},
	"workload.trace.from":               {[]string{"T"}, "workload.trace.from=20"},
	"workload.trace.until":              {[]string{"T"}, "workload.trace.until=20"},
	"workload.trace.where":              {[]string{"T"}, "workload.trace.where={user: u1}"},
	"workload.trace.shift":              {[]string{"T"}, "workload.trace.shift=keep"},
	"workload.trace.scale.submit":       {[]string{"T"}, "workload.trace.scale={submit: 2}"},
	"workload.trace.scale.duration":     {[]string{"T"}, "workload.trace.scale={duration: 2}"},
	"workload.trace.map":                {[]string{"T"}, "workload.trace.map={user: {u1: u9}}"},
}

// keysElsewhere are keys that cannot change one run of this base, with where
// their test is or why they cannot.
var keysElsewhere = map[string]string{
	"apiVersion":                          "one value is allowed",
	"kind":                                "one value is allowed",
	"expect":                              "check_test.go; changes what check says, not the run",
	"workload.trace.sha256":               "written by a run; TestChangedTraceIsRefused",
	"workload.trace.strict":               "workloads/trace: a bad record becomes an error",
	"workload.trace.columns":              "workloads/trace, csv",
	"workload.trace.time_format":          "workloads/trace, csv",
	"workload.trace.timezone":             "workloads/trace, philly",
	"workload.trace.processors":           "workloads/trace, swf",
	"workload.trace.report_time":          "workloads/trace, kubernetes",
	"workload.trace.annotations.submit":   "workloads/trace, kubernetes",
	"workload.trace.annotations.duration": "workloads/trace, kubernetes",
	"workload.trace.annotations":          "workloads/trace, kubernetes",
	"workload.trace.attempts":             "workloads/trace, philly",
	"workload.trace.pending":              "workloads/trace, openb",
	"workload.trace.lifetime":             "workloads/trace, openb",
	"workload.trace.unfinished":           "workloads/trace, philly",
}

// paths lists the keys below a struct type.
func paths(t reflect.Type, prefix string, out map[string]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		out[prefix] = true
		return
	}
	any := false
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if f.Type == reflect.TypeOf(document.At{}) || tag == "-" {
			continue
		}
		if f.Anonymous && tag == "" {
			paths(f.Type, prefix, out)
			continue
		}
		if tag == "" {
			continue
		}
		any = true
		if f.Type == reflect.TypeOf((*later)(nil)) {
			continue // refused; TestLaterKeysAreRefused
		}
		p := tag
		if prefix != "" {
			p = prefix + "." + tag
		}
		if p == "expect" {
			out[p] = true
			continue
		}
		paths(f.Type, p, out)
	}
	if !any {
		out[prefix] = true
	}
}

func TestEveryKeyChangesAResult(t *testing.T) {
	want := map[string]bool{}
	paths(reflect.TypeOf(Document{}), "", want)
	paths(reflect.TypeOf(order.PriorityConfig{}), "order.priority", want)
	paths(reflect.TypeOf(order.LASConfig{}), "order.las", want)
	paths(reflect.TypeOf(order.FairConfig{}), "order.fair", want)
	paths(reflect.TypeOf(order.GittinsConfig{}), "order.gittins", want)
	paths(reflect.TypeOf(order.TiresiasConfig{}), "order.tiresias", want)
	paths(reflect.TypeOf(preemption.Config{}), "preemption", want)
	paths(reflect.TypeOf(preemption.SlicesConfig{}), "slices", want)
	_ = trace.Options{}
	var keys []string
	for k := range want {
		if strings.HasPrefix(k, "cluster.trace.") {
			continue // the same reader as workload.trace; TestClusterFromATrace
		}
		keys = append(keys, k)
	}
	sort.Strings(keys)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"t1.csv": "job_id,submit_s,run_s,gpus,user,id,submit,duration\n1,10,100,8,u1,1,0,5\n2,20,50,4,u2,2,0,5\n3,30,70,8,u1,3,0,5\n",
		"t2.csv": "job_id,submit_s,run_s,gpus,user\n1,10,100,8,u1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range keys {
		t.Run(key, func(t *testing.T) {
			if _, ok := keysElsewhere[key]; ok {
				return
			}
			c, ok := keyChanges[key]
			if !ok {
				t.Fatalf("no test shows what %s changes", key)
			}
			text := keyBase
			base := c.base
			change := strings.ReplaceAll(c.change, "=T2", "="+filepath.Join(dir, "t2.csv"))
			if len(base) > 0 && base[0] == "T" {
				at := strings.Index(text, "workload:")
				text = text[:at] + "workload: {trace: {format: native, path: " + filepath.Join(dir, "t1.csv") + "}}\n"
				base = base[1:]
			}
			before, after := digest(t, text, base), digest(t, text, append(append([]string(nil), base...), change))
			if before == after {
				t.Errorf("%s changes nothing", c.change)
			}
		})
	}
}

// digest is a hash of what a run leaves, but for the scenario itself.
func digest(t *testing.T, text string, sets []string) string {
	t.Helper()
	var ss []Setting
	for _, s := range sets {
		p, v, _ := strings.Cut(s, "=")
		ss = append(ss, Setting{p, v})
	}
	s, err := Parse("keys.yaml", ".", []byte(text), ss)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := s.Run(RunOptions{Dir: dir, Formats: []table.Format{table.CSV}, Debug: true}); err != nil {
		t.Fatal(err)
	}
	return folderHash(t, dir)
}

func folderHash(t *testing.T, dir string) string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, f := range files {
		if f.Name() == "scenario.yaml" || f.Name() == "timing.json" {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%s %d\n", f.Name(), len(b))
		h.Write(b)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}
