package trace

import (
	"fmt"
	"math"
	"strings"

	"gpusim/workloads"
	"gpusim/workloads/document"
)

// kubeAsk is what a container or a pod asks for: CPU in thousandths, bytes,
// whole GPUs, slices.
type kubeAsk [4]int64

const (
	askCPU = iota
	askMemory
	askGPU
	askSlices
)

// plus adds two requests; ok is false beyond the range.
func (a kubeAsk) plus(b kubeAsk) (sum kubeAsk, ok bool) {
	for i := range a {
		if a[i] > math.MaxInt64-b[i] {
			return sum, false
		}
		sum[i] = a[i] + b[i]
	}
	return sum, true
}

// most takes the larger of each.
func (a kubeAsk) most(b kubeAsk) kubeAsk {
	for i := range a {
		a[i] = max(a[i], b[i])
	}
	return a
}

// podAsk works out what a pod asks for: the containers and the init containers
// that stay add up; each other init container runs beside those that stay and
// come before it.
func (k *kubeReader) podAsk(r *row, spec *document.Node) (total kubeAsk, ok bool) {
	tooMuch := func() (kubeAsk, bool) {
		k.fail(r, spec, "out-of-range", "its containers ask for more than counts can hold")
		return total, false
	}
	var stay, first kubeAsk
	for i, c := range kubeItems(spec.Get("initContainers")) {
		ask, ok := k.containerAsk(r, c, fmt.Sprintf("initContainers[%d]", i))
		if !ok {
			return total, false
		}
		both, ok := stay.plus(ask)
		if !ok {
			return tooMuch()
		}
		if kubeText(c.Get("restartPolicy")) == "Always" {
			stay = both
		}
		first = first.most(both)
	}
	total = stay
	containers := kubeItems(spec.Get("containers"))
	if len(containers) == 0 {
		k.fail(r, spec, "missing", "it has no containers")
		return total, false
	}
	for i, c := range containers {
		ask, ok := k.containerAsk(r, c, fmt.Sprintf("containers[%d]", i))
		if !ok {
			return total, false
		}
		if total, ok = total.plus(ask); !ok {
			return tooMuch()
		}
	}
	total = total.most(first)
	for _, extra := range []*document.Node{spec.Get("overhead")} {
		ask, ok := k.listAsk(r, extra, nil, "overhead")
		if !ok {
			return total, false
		}
		if total, ok = total.plus(ask); !ok {
			return tooMuch()
		}
	}
	if whole := spec.Get("resources"); whole != nil { // of the pod as a whole
		ask, ok := k.listAsk(r, whole.Get("requests"), whole.Get("limits"), "resources")
		if !ok {
			return total, false
		}
		for _, i := range []int{askCPU, askMemory} {
			if ask[i] > 0 {
				total[i] = ask[i]
			}
		}
	}
	return total, true
}

func (k *kubeReader) containerAsk(r *row, c *document.Node, where string) (kubeAsk, bool) {
	res := c.Get("resources")
	if name := kubeText(c.Get("name")); name != "" {
		where = "container " + name
	}
	return k.listAsk(r, res.Get("requests"), res.Get("limits"), where)
}

// listAsk reads requests and limits.
func (k *kubeReader) listAsk(r *row, requests, limits *document.Node, where string) (ask kubeAsk, ok bool) {
	names := map[string]bool{}
	var order []*document.Node
	for _, list := range []*document.Node{requests, limits} {
		if list == nil || list.Kind != document.Map {
			continue
		}
		for _, key := range list.Keys {
			if !names[key.Text] {
				names[key.Text] = true
				order = append(order, key)
			}
		}
	}
	for _, key := range order {
		i, places, known := kubeResource(key.Text)
		if !known {
			if strings.Contains(key.Text, "/") {
				r.add("unknown-column", Noted, int64(key.Line), int64(key.Column), "%s: resource %q is not read", k.objects[k.i-1].title(), key.Text)
			}
			continue
		}
		request, limit := requests.Get(key.Text), limits.Get(key.Text)
		used := request
		if used == nil {
			used = limit
		}
		v, ok := k.quantity(r, used, key.Text, where, places, i >= askGPU)
		if !ok {
			return ask, false
		}
		if i >= askGPU && where != "overhead" {
			switch {
			case limit == nil:
				k.fail(r, request, "bad-quantity", "%s asks for %s without a limit; a whole resource needs one, equal to the request", where, key.Text)
				return ask, false
			case request != nil:
				most, ok := k.quantity(r, limit, key.Text, where, places, true)
				if !ok {
					return ask, false
				}
				if most != v {
					k.fail(r, limit, "bad-quantity", "%s asks for %d %s with a limit of %d; of whole resources the request must equal the limit", where, v, key.Text, most)
					return ask, false
				}
			}
		}
		if v > math.MaxInt64-ask[i] {
			k.fail(r, used, "out-of-range", "%s asks for more %s than counts can hold", where, key.Text)
			return ask, false
		}
		ask[i] += v
	}
	return ask, true
}

// kubeResource says what a resource is counted as.
func kubeResource(name string) (i, places int, known bool) {
	switch {
	case name == "cpu":
		return askCPU, 3, true
	case name == "memory":
		return askMemory, 0, true
	case name == "nvidia.com/gpu" || name == "amd.com/gpu":
		return askGPU, 0, true
	case strings.HasPrefix(name, "nvidia.com/mig-"):
		return askSlices, 0, true
	}
	return 0, 0, false
}

// quantity reads a value and rejects the row if it is none.
func (k *kubeReader) quantity(r *row, n *document.Node, name, where string, places int, whole bool) (int64, bool) {
	text := kubeText(n)
	v, exact, why := kubeQuantity(text, places)
	if why == "" && whole && !exact {
		k.fail(r, n, "bad-quantity", "%s asks for %s of %s; write a whole number", where, text, name)
		return 0, false
	}
	if why == "" && whole && v > math.MaxInt32 {
		why = "out-of-range"
	}
	switch why {
	case "":
		return v, true
	case "bad-quantity":
		k.fail(r, n, why, "%s: %s is %s, whose suffix is none; the suffixes are m, k M G T P E, Ki Mi Gi Ti Pi Ei", where, name, quoted([]byte(text)))
	default:
		k.fail(r, n, why, "%s: %s is %s: %s", where, name, quoted([]byte(text)), explain(why))
	}
	return 0, false
}

// kubeItems are the items of a list, none where there is no list.
func kubeItems(n *document.Node) []*document.Node {
	if n == nil || n.Kind != document.List {
		return nil
	}
	return n.Items
}

// fillPlace reads where the pod may run, and how urgent it is.
func (k *kubeReader) fillPlace(r *row, spec *document.Node) {
	if p := spec.Get("priority"); p != nil {
		v, why := whole([]byte(kubeText(p)))
		if r.job.Priority = v; why != "" {
			k.fail(r, p, why, "priority is %s: %s", quoted([]byte(kubeText(p))), explain(why))
			return
		}
	}
	selector := spec.Get("nodeSelector")
	if selector == nil || selector.Kind != document.Map {
		return
	}
	for i, key := range selector.Keys {
		value := kubeText(selector.Items[i])
		if key.Text == "nvidia.com/gpu.product" {
			l := k.env.words.list([]byte(value))
			r.job.GPUTypes, r.typesKey = l.types, l.key
			continue
		}
		at := len(r.job.NodeSelector)
		for at > 0 && r.job.NodeSelector[at-1].Key > key.Text {
			at--
		}
		label := workloads.Label{Key: key.Text, Value: value}
		r.job.NodeSelector = append(r.job.NodeSelector[:at:at], append([]workloads.Label{label}, r.job.NodeSelector[at:]...)...)
	}
}
