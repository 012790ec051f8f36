package trace

import (
	"errors"
	"fmt"
	"io"
	"sort"

	"gpusim/sim/event"
	"gpusim/workloads/document"
)

// The kubernetes format is objects of Kubernetes in YAML or JSON: manifests, or
// what kubectl get -o yaml prints; many documents in one file, lists of objects
// (kind List, PodList, JobList) and empty documents are fine. Pods and Jobs
// (batch/v1) become jobs; a Pod that belongs to a Job of the same file is a
// part of it. Read of an object:
//
//	metadata          name, namespace (the tenant; "default" if not given),
//	                  creationTimestamp (the submission), annotations, the label
//	                  kueue.x-k8s.io/queue-name (the queue)
//	spec              containers, initContainers, overhead, priority,
//	                  nodeSelector (nvidia.com/gpu.product is the GPU type),
//	                  activeDeadlineSeconds (the limit); of a Job also
//	                  parallelism (its gang), completions, template
//	status            phase, startTime, completionTime, conditions, and when
//	                  the containers ended
//
// Requests: of each container cpu, memory, nvidia.com/gpu (and amd.com/gpu) and
// nvidia.com/mig-PROFILE (slices, which are no GPUs; noted: mig-slices). A
// missing request takes the limit; extended resources are whole numbers whose
// request, if given, equals the limit. Containers add up; of the init
// containers, which run one after another, the largest counts, beside those
// that stay (restartPolicy: Always). Quantities are exact: m is a thousandth, k
// M G T P E are powers of 1000, Ki Mi Gi Ti Pi Ei of 1024, exponents are fine.
//
// Times: annotations: {submit: KEY, duration: KEY} names the annotations that
// hold the submission (seconds or a stamp) and the run time (90s, 1h30m or
// seconds) of every object; otherwise they are those of the status. An object
// that was still running is skipped (still-running), or with report_time runs
// until then; one that never started is skipped (never-started). A manifest
// (nothing in status) says no run time: its job never leaves (noted:
// no-duration). Without a creationTimestamp it is submitted at time 0.
//
// Reasons, with the number of the document and the object in the message:
// damaged-line, duplicate-key, duplicate-id (kind, namespace and name twice),
// missing, bad-quantity, out-of-range, negative, bad-time, time-backwards,
// unsupported; skipped: not-a-job (another kind), step-row (a Pod of a Job),
// never-started, still-running; noted: no-duration, mig-slices,
// unknown-column (a resource that is not read), start-before-submit,
// out-of-order, unknown-state.
func kubernetesFormat() Format {
	return Format{
		Name:     "kubernetes",
		Doc:      "Pods and Jobs of Kubernetes in YAML or JSON (manifests, kubectl get -o yaml)",
		Sample:   "pods.yaml",
		extra:    []string{"annotations", "report_time"},
		names:    []string{"gpu_type", "tenant", "queue"},
		open:     openKubernetes,
		prepare:  func(t *Trace) error { t.env.kube = &kubeTotals{kinds: counts{}}; return nil },
		describe: func(t *Trace, rep *Report) { t.env.kube.describe(rep) },
	}
}

// kubeLimit is the most that is read of a file, in bytes after unpacking.
const kubeLimit = 256 << 20

// kubeObject is one object of a file.
type kubeObject struct {
	node        *document.Node
	document    int
	line        int64
	err         error // what is wrong with the document
	kind        string
	name, space string
	first       int // the object of the same kind, namespace and name before it, from 1
	part        bool
	id          string
}

// title names an object in messages.
func (o *kubeObject) title() string {
	name := o.name
	if name == "" {
		name = "without a name"
	}
	kind := o.kind
	if kind == "" {
		kind = "object"
	}
	return fmt.Sprintf("document %d, %s %s", o.document, kind, name)
}

// kubeTotals adds up what the well-formed objects ask for.
type kubeTotals struct {
	kinds                     counts
	gpus, slices, cpu, memory wide
}

func (t *kubeTotals) describe(rep *Report) {
	rep.Facts.set("objects_by_kind", t.kinds.table(false))
	rep.Facts.set("gpus_asked", t.gpus.fixed(0))
	rep.Facts.set("slices_asked", t.slices.fixed(0))
	rep.Facts.set("cpu_milli_asked", t.cpu.fixed(0))
	rep.Facts.set("memory_bytes_asked", t.memory.fixed(0))
}

type kubeReader struct {
	env       *env
	objects   []kubeObject
	i         int // the current object is objects[i-1]
	count     int64
	clock     *anyStamp
	head      about
	report    event.Time
	hasReport bool
}

func openKubernetes(r io.Reader, e *env) (reader, error) {
	data, err := io.ReadAll(io.LimitReader(r, kubeLimit+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > kubeLimit:
		return nil, fmt.Errorf("the file holds more than %d MiB; split it and name the parts in a list", kubeLimit>>20)
	case len(data) == 0:
		return nil, &placeError{message: "the file is empty: no object"}
	}
	clock, head, err := newAnyStamp("", "UTC")
	if err != nil {
		return nil, err
	}
	k := &kubeReader{env: e, clock: clock, head: head}
	k.head.clock = newClock("1970-01-01T00:00:00Z", "", "stamps")
	k.head.has = fields{status: true, tenant: true, queue: true, gpuType: true}
	if k.report, k.hasReport, err = reportTime(e.opt, &k.head); err != nil {
		return nil, err
	}
	pieces, err := document.ParseAll("", data)
	if err != nil {
		return nil, err
	}
	for _, c := range data {
		if c == '\n' {
			k.count++
		}
	}
	if data[len(data)-1] != '\n' {
		k.count++
	}
	for _, p := range pieces {
		k.take(p)
	}
	k.finish()
	return k, nil
}

// take adds the objects of a document.
func (k *kubeReader) take(p document.Piece) {
	if p.Node == nil && p.Err == nil {
		return // an empty document
	}
	o := kubeObject{node: p.Node, document: p.Number, line: int64(p.Line), err: p.Err}
	if p.Node != nil && p.Node.Line > 0 {
		o.line = int64(p.Node.Line)
	}
	k.flatten(o, 0)
}

// flatten adds an object, or the objects of a list.
func (k *kubeReader) flatten(o kubeObject, depth int) {
	o.kind = kubeText(o.node.Get("kind"))
	items := o.node.Get("items")
	parts, apart := kubeErrors(o.err, items)
	if apart && items != nil && items.Kind == document.List && depth < 10 && len(o.kind) >= 4 && o.kind[len(o.kind)-4:] == "List" {
		for i, item := range items.Items {
			k.flatten(kubeObject{node: item, document: o.document, line: int64(item.Line), err: parts[i]}, depth+1)
		}
		return
	}
	meta := o.node.Get("metadata")
	o.name, o.space = kubeText(meta.Get("name")), kubeText(meta.Get("namespace"))
	if o.space == "" {
		o.space = "default"
	}
	k.objects = append(k.objects, o)
}

// finish finds objects that stand twice and Pods of Jobs, and gives out ids.
func (k *kubeReader) finish() {
	seen := map[[3]string]int{}
	ids := map[string]bool{}
	for i := range k.objects {
		o := &k.objects[i]
		if o.name == "" || o.kind == "" {
			continue
		}
		key := [3]string{o.kind, o.space, o.name}
		if n, twice := seen[key]; twice {
			o.first = n
		} else {
			seen[key] = i + 1
		}
		o.id = o.name
		if o.space != "default" {
			o.id = o.space + "/" + o.name
		}
		if o.first == 0 && (o.kind == "Pod" || o.kind == "Job") {
			if ids[o.id] {
				o.id = o.kind + "/" + o.id
			}
			ids[o.id] = true
		}
	}
	for i := range k.objects {
		o := &k.objects[i]
		if owners := o.node.Get("metadata").Get("ownerReferences"); o.kind == "Pod" && owners != nil {
			for _, w := range owners.Items {
				_, here := seen[[3]string{"Job", o.space, kubeText(w.Get("name"))}]
				o.part = o.part || here && kubeText(w.Get("kind")) == "Job"
			}
		}
	}
}

func (k *kubeReader) next() error {
	if k.i == len(k.objects) {
		return io.EOF
	}
	k.i++
	return nil
}

func (k *kubeReader) about() about { return k.head }

func (k *kubeReader) columns() []string { return []string{"kind", "name", "namespace", "phase"} }

func (k *kubeReader) value(column string) []byte {
	o := &k.objects[k.i-1]
	switch column {
	case "kind":
		return []byte(o.kind)
	case "name":
		return []byte(o.name)
	case "namespace":
		return []byte(o.space)
	}
	return []byte(kubeText(o.node.Get("status").Get("phase")))
}

func (k *kubeReader) line() int64 { return k.objects[k.i-1].line }

func (k *kubeReader) lines() int64 { return k.count }

func (k *kubeReader) bytes() []byte { return nil }

// kubeText is the text of a single value, "" where there is none.
func kubeText(n *document.Node) string {
	if n == nil || n.Kind != document.Scalar {
		return ""
	}
	return n.Text
}

// fail rejects a row because of a value.
func (k *kubeReader) fail(r *row, n *document.Node, reason, format string, args ...any) {
	if r.fate != "" {
		return
	}
	line, column := r.line, int64(0)
	if n != nil && n.Line > 0 {
		line, column = int64(n.Line), int64(n.Column)
	}
	r.fate = Rejected
	r.add(reason, Rejected, line, column, "%s: %s", k.objects[k.i-1].title(), fmt.Sprintf(format, args...))
}

// damaged says what is wrong with a document.
func (k *kubeReader) damaged(r *row, err error) {
	var all document.Errors
	if !errors.As(err, &all) || len(all) == 0 {
		k.fail(r, nil, "damaged-line", "%s", err)
		return
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Line < all[j].Line })
	reason := "damaged-line"
	if duplicateKey(all[0].Message) {
		reason = "duplicate-key"
	}
	k.fail(r, &document.Node{Line: all[0].Line, Column: all[0].Column}, reason, "%s", all[0].Message)
}
