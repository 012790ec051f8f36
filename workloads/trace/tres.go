package trace

import (
	"fmt"
	"math"
	"strings"
)

// Resources is what a resource string of Slurm says: AllocTRES and ReqTRES of
// sacct, GRES columns of sinfo and squeue, Gres= of slurm.conf.
type Resources struct {
	// Known says that the string speaks of GPUs; a job without them on a
	// cluster that does not count GPUs looks the same as one that has some.
	Known bool
	// GPUs are whole GPUs. Slices are MIG instances, which are none; Shards are
	// parts of GPUs counted elsewhere.
	GPUs, Slices, Shards int64
	// Models are the GPUs by model, Profiles the slices by profile, in the
	// order of the string.
	Models, Profiles []ModelCount
	CPUMilli         int64 // thousandths of a core
	Memory           int64 // bytes
	Nodes            int64
	// Warning says what did not agree; "" if all did.
	Warning string
}

// ModelCount is a number of GPUs of a model or of slices of a profile.
type ModelCount struct {
	Model string
	Count int64
}

// ParseTRES reads billing=64,cpu=32,gres/gpu:a100=4,gres/gpu=4,mem=256G,node=1.
// The entry without a type is the total of the typed ones and not more GPUs;
// where the two differ the total counts and Warning says so. Sizes are in
// powers of 1024, bare ones in MiB; gres/gpumem and gres/gpuutil are use and
// not counts; what else is unknown is left alone.
func ParseTRES(s string) (Resources, error) {
	var r Resources
	var total int64
	hasTotal := false
	if absent([]byte(s)) {
		return r, nil
	}
	for _, part := range splitResources(s) {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return Resources{}, fmt.Errorf("%q is not of the form name=count", part)
		}
		key = strings.TrimSpace(key)
		switch name := strings.ToLower(key); {
		case name == "cpu":
			v, why := decimal([]byte(value), 3)
			if r.CPUMilli = v; why != "" || v < 0 {
				return Resources{}, badCount(part)
			}
		case name == "mem":
			v, why := slurmBytes([]byte(value), 1<<20)
			if r.Memory = v; why != "" {
				return Resources{}, badCount(part)
			}
		case name == "node":
			v, err := resourceCount(part, value)
			if r.Nodes = v; err != nil {
				return Resources{}, err
			}
		case name == "gres/gpu" || name == "gpu" || name == "gres:gpu":
			v, err := resourceCount(part, value)
			if err != nil {
				return Resources{}, err
			}
			total, hasTotal, r.Known = v, true, true
		case strings.HasPrefix(name, "gres/gpu:") || strings.HasPrefix(name, "gres:gpu:") || strings.HasPrefix(name, "gpu:"):
			v, err := resourceCount(part, value)
			if err != nil {
				return Resources{}, err
			}
			r.Known = true
			r.add(key[strings.Index(name, "gpu:")+len("gpu:"):], v)
		case name == "gres/shard" || strings.HasPrefix(name, "gres/shard:"):
			v, err := resourceCount(part, value)
			if r.Shards += v; err != nil {
				return Resources{}, err
			}
		}
	}
	if hasTotal {
		r.settle(total)
	}
	return r, nil
}

// ParseGRES reads gpu:a100:8(S:0-3),shard:8: names with an optional type and an
// optional count (1 if there is none). What stands in brackets (sockets,
// indices) is no count. (null) and an empty string are nothing; N/A is not
// known, and so is what speaks of no GPU where Known matters.
func ParseGRES(s string) (Resources, error) {
	var r Resources
	switch strings.TrimSpace(s) {
	case "", "N/A", "n/a":
		return r, nil
	case "(null)":
		r.Known = true
		return r, nil
	}
	r.Known = true
	var total int64
	hasTotal := false
	for _, part := range splitResources(s) {
		words := part
		if i := strings.IndexByte(words, '('); i >= 0 {
			words = words[:i]
		}
		words = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(words), "gres/"), "gres:")
		words = strings.ReplaceAll(words, "=", ":")
		var plain []string
		for _, w := range strings.Split(words, ":") {
			if w != "no_consume" {
				plain = append(plain, w)
			}
		}
		name, count := strings.ToLower(plain[0]), "1"
		if last := plain[len(plain)-1]; len(plain) > 1 && looksLikeCount(last) {
			count, plain = last, plain[:len(plain)-1]
		}
		if name != "gpu" && name != "shard" {
			continue
		}
		v, err := resourceCount(part, count)
		switch {
		case err != nil:
			return Resources{}, err
		case len(plain) > 2:
			return Resources{}, badCount(part)
		case name == "shard":
			r.Shards += v
		case len(plain) == 2:
			r.add(plain[1], v)
		default:
			total += v
			hasTotal = true
		}
	}
	if hasTotal && len(r.Models)+len(r.Profiles) > 0 { // both stand for GPUs of their own
		r.GPUs += total
	} else if hasTotal {
		r.settle(total)
	}
	return r, nil
}

// looksLikeCount tells a count from a type: -1, 8 and 4K are counts, 1g.5gb and
// 3090ti are types.
func looksLikeCount(s string) bool {
	digits := strings.TrimRight(strings.TrimPrefix(s, "-"), "kKmM")
	if digits == "" || len(s)-len(digits) > 1 && s[0] != '-' {
		return false
	}
	return strings.Trim(digits, "0123456789.") == "" && digits != "."
}

// add counts GPUs of a model, or slices where the model names a MIG profile.
func (r *Resources) add(model string, n int64) {
	if migProfile(model) {
		r.Slices += n
		r.Profiles = append(r.Profiles, ModelCount{model, n})
		return
	}
	r.GPUs += n
	r.Models = append(r.Models, ModelCount{model, n})
}

// settle compares the typed entries with the total.
func (r *Resources) settle(total int64) {
	typed := r.GPUs + r.Slices
	if typed == 0 {
		r.GPUs = total
		return
	}
	if typed == total {
		return
	}
	r.Warning = fmt.Sprintf("the types add up to %d GPUs, the entry without a type says %d, which counts", typed, total)
	r.GPUs = max(0, total-r.Slices)
}

// migProfile tells a100_1g.5gb, 3g.20gb, 1g.10gb.me and 1c.3g.20gb from models.
func migProfile(model string) bool {
	model = strings.ToLower(model)
	if i := strings.LastIndexAny(model, "_-"); i >= 0 {
		model = model[i+1:]
	}
	for _, part := range strings.Split(model, ".") {
		if n := len(part); n >= 2 && n <= 3 && part[n-1] == 'g' && strings.Trim(part[:n-1], "0123456789") == "" {
			return strings.Contains(model, "gb")
		}
	}
	return false
}

// splitResources cuts at the commas that are not in brackets.
func splitResources(s string) []string {
	var parts []string
	depth, from := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == ',' && depth == 0:
			if p := strings.TrimSpace(s[from:i]); p != "" {
				parts = append(parts, p)
			}
			from = i + 1
		case s[i] == '(' || s[i] == '[':
			depth++
		case s[i] == ')' || s[i] == ']':
			depth = max(0, depth-1)
		}
	}
	return parts
}

// resourceCount reads a count: 8, 8.0, or 4K (1024 based).
func resourceCount(part, value string) (int64, error) {
	value = strings.TrimSpace(value)
	scale := int64(1)
	switch {
	case strings.HasSuffix(value, "K") || strings.HasSuffix(value, "k"):
		scale, value = 1<<10, value[:len(value)-1]
	case strings.HasSuffix(value, "M") || strings.HasSuffix(value, "m"):
		scale, value = 1<<20, value[:len(value)-1]
	}
	v, why := whole([]byte(value))
	if why != "" || v < 0 || v > math.MaxInt32/scale {
		return 0, badCount(part)
	}
	return v * scale, nil
}

func badCount(part string) error {
	return fmt.Errorf("%q does not hold a count: write a whole number from 0 on", part)
}

// slurmBytes reads 256G, 1.50T, 4000M, 512K or a bare number of the given unit;
// powers of 1024. A c or an n at the end (per CPU, per node) is the caller's.
func slurmBytes(b []byte, bare int64) (int64, string) {
	b = trim(b)
	unit := bare
	if n := len(b); n > 0 {
		if b[n-1] == 'B' && n > 1 { // GB, GiB
			b = b[:n-1]
			if n > 3 && b[n-2] == 'i' {
				b = b[:n-2]
			}
		}
		if i := strings.IndexByte("KMGTPE", b[len(b)-1]&^0x20); i >= 0 && b[len(b)-1] >= 'A' {
			unit, b = 1<<(10*(i+1)), b[:len(b)-1]
		}
	}
	v, why := decimal(b, 3)
	switch {
	case why != "":
		return 0, why
	case v < 0:
		return 0, "negative"
	}
	var w wide
	w.add(uint64(v), uint64(unit))
	q := w.big()
	q.Quo(q, thousand())
	if !q.IsInt64() {
		return 0, "out-of-range"
	}
	return q.Int64(), ""
}
