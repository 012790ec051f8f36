package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gpusim/workloads/trace"
)

// next is a run of the trace that can be tried at once: on the scenario of --on,
// or on a built-in one, renamed after the file, with a cluster that holds the
// largest job. A trace of nodes becomes the cluster of that scenario.
func (in *inspection) next(r *trace.Report) (string, error) {
	scenario, inFolder, own := "quickstart", false, true
	if in.on != "" && in.on != "-" {
		scenario, own = in.on, false
		_, err := os.Stat(in.on)
		inFolder = err == nil // its relative paths begin at its folder
	}
	paths := slices.Clone(in.paths)
	for i, p := range paths {
		if !inFolder {
			continue
		}
		abs, err := filepath.Abs(p)
		if err != nil {
			return "", fmt.Errorf("finding %s: %w", p, err)
		}
		paths[i] = abs
	}
	nodes := formatOf(r).Nodes
	part := "workload"
	if nodes {
		part = "cluster"
	}
	words := []string{"gpusim", "run", shellWord(scenario)}
	set := func(path, value string) { words = append(words, "--set", shellWord(path+"="+value)) }
	set(part, "{}") // what the scenario has there gives way
	if own && !nodes {
		if stem, _, _ := strings.Cut(filepath.Base(in.paths[0]), "."); stem != "" {
			set("name", flow(stem))
		}
		set("cluster.nodes", clusterFor(r))
	}
	set(part+".trace.format", r.Format)
	if len(paths) == 1 {
		set(part+".trace.path", yamlWord(paths[0]))
	} else {
		set(part+".trace.path", flow(paths))
	}
	for _, o := range optionSettings(in.opts) {
		set(part+".trace."+o[0], o[1])
	}
	return strings.Join(words, " "), nil
}

// optionSettings turns --opt into paths and values of a scenario. What is nested
// is written as one mapping, for the names in it may hold dots.
func optionSettings(opts []string) [][2]string {
	var list [][2]string
	nested := map[string]map[string]any{}
	for _, o := range opts {
		key, value, _ := strings.Cut(o, "=")
		head, rest, _ := strings.Cut(key, ".")
		if head != "where" && head != "columns" && head != "map" {
			list = append(list, [2]string{key, yamlWord(value)})
			continue
		}
		if nested[head] == nil {
			nested[head] = map[string]any{}
		}
		if head != "map" {
			nested[head][rest] = value
			continue
		}
		field, name, _ := strings.Cut(rest, ".")
		names, _ := nested[head][field].(map[string]any)
		if names == nil {
			names = map[string]any{}
			nested[head][field] = names
		}
		names[name] = value
	}
	for _, head := range []string{"where", "columns", "map"} {
		if nested[head] != nil {
			list = append(list, [2]string{head, flow(nested[head])})
		}
	}
	return list
}

// clusterFor writes nodes for a trace: its own machine where it describes one,
// otherwise enough nodes of 8 GPUs of each type for its largest job and, roughly,
// for its load.
func clusterFor(r *trace.Report) string {
	count, gpus := int64(2), int64(8)
	if n := len(r.JobsBy.GPUs); n > 0 {
		if largest, err := strconv.ParseFloat(r.JobsBy.GPUs[n-1].Key, 64); err == nil {
			count = max(count, (int64(largest)+gpus-1)/gpus)
		}
	}
	work, known := number(figureOf(r.GPUSeconds))
	if span, ok := number(figureOf(r.SubmitSpan)); known && ok && span >= 86400 {
		count = max(count, int64(math.Ceil(work/(0.8*span*float64(gpus)))))
	}
	if c := r.Cluster; c != nil && c.Nodes > 0 && c.GPUs > 0 && c.GPUs%c.Nodes == 0 {
		count, gpus = c.Nodes, c.GPUs/c.Nodes
	}
	var types []string
	for _, e := range r.JobsBy.GPUType {
		for _, t := range strings.Split(e.Key, "|") {
			if t != "" && !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
	}
	if len(types) == 0 {
		return fmt.Sprintf("[{count: %d, name: n, gpus: %d}]", count, gpus)
	}
	var list []string
	for i, t := range types {
		list = append(list, fmt.Sprintf("{count: %d, name: n%d, gpu: %s, gpus: %d}", count, i, flow(t), gpus))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

var (
	plainWord = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./:+@%-]*$`)
	safeShell = regexp.MustCompile(`^[A-Za-z0-9_./:+@%=-]+$`)
)

// flow writes a value as YAML on one line; JSON is YAML.
func flow(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // texts, and lists and mappings of them, always can be written
		return ""
	}
	return string(b)
}

// yamlWord writes a text so that YAML reads it back as that text.
func yamlWord(s string) string {
	if plainWord.MatchString(s) && s != "null" && !strings.HasSuffix(s, ":") {
		return s
	}
	return flow(s)
}

// shellWord quotes an argument where a shell would take it apart.
func shellWord(s string) string {
	if safeShell.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
