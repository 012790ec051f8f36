package trace

import (
	"fmt"
	"strings"
)

// gresFile is gres.conf: which GPUs the nodes find.
type gresFile struct {
	path   string
	byNode map[string]*gresNode
	all    *gresNode // lines without NodeName
}

// gresNode is what the lines of a node say.
type gresNode struct {
	found Resources
	auto  bool // AutoDetect without files: slurmd looks for itself
	lines bool // a line is about GPUs
}

// newGresFile reads the lines; what is not read goes to odd.
func newGresFile(path string, lines []confLine, odd func(line int64, reason, message string)) *gresFile {
	g := &gresFile{path: path, byNode: map[string]*gresNode{}, all: &gresNode{}}
	for i := range lines {
		l := &lines[i]
		for _, w := range l.words {
			switch strings.ToLower(w.key) {
			case "nodename", "name", "type", "file", "count", "cores", "cpus", "links", "flags", "autodetect", "multiplefiles":
			default:
				odd(l.line, "unknown-line", fmt.Sprintf("key %q is not read: %s", w.key+w.value, quoted([]byte(strings.TrimSpace(l.text)))))
			}
		}
		to := []*gresNode{g.all}
		if names, given := l.get("NodeName"); given {
			hosts, err := expandHosts(names)
			if err != nil {
				odd(l.line, "unknown-line", "the line is not read: "+err.Error())
				continue
			}
			to = to[:0]
			for _, h := range hosts {
				if g.byNode[h] == nil {
					g.byNode[h] = &gresNode{}
				}
				to = append(to, g.byNode[h])
			}
		}
		if err := gresLine(l, to); err != nil {
			odd(l.line, "unknown-line", "the line is not read: "+err.Error())
		}
	}
	return g
}

// gresLine adds what a line says to its nodes.
func gresLine(l *confLine, to []*gresNode) error {
	auto, hasAuto := l.get("AutoDetect")
	auto = strings.ToLower(auto)
	detects := hasAuto && auto != "off" && auto != ""
	name, named := l.get("Name")
	if !named {
		for _, n := range to {
			n.auto = detects
		}
		return nil
	}
	if !strings.EqualFold(name, "gpu") {
		return nil // mps, shard and others are no GPUs
	}
	model, _ := l.get("Type")
	count := int64(0)
	file, hasFile := l.get("File")
	text, hasCount := l.get("Count")
	_, several := l.get("MultipleFiles")
	switch {
	case hasFile:
		devices, err := expandHosts(file)
		if err != nil {
			return err
		}
		count = int64(len(devices))
	case several:
		count = 1 // the files of one MIG instance
	case !hasCount && detects:
		for _, n := range to {
			n.auto = true
		}
		return nil
	case !hasCount:
		count = 1
	}
	if hasCount && !hasFile {
		v, err := resourceCount(text, text)
		if err != nil {
			return err
		}
		count = v
	}
	for _, n := range to {
		n.lines = true
		if model == "" {
			n.found.GPUs += count
		} else {
			n.found.add(model, count)
		}
	}
	return nil
}

// found is what a node finds; known is false where nothing says so.
func (g *gresFile) found(name string, configured Resources) (r Resources, known bool) {
	if g == nil {
		return r, false
	}
	n := g.byNode[name]
	switch {
	case n != nil && n.lines:
		r = n.found
	case n != nil && n.auto, g.all.auto && !g.all.lines:
		return r, false
	}
	if g.all.lines && configured.GPUs > 0 {
		r.GPUs += g.all.found.GPUs
		r.Slices += g.all.found.Slices
		r.Models = append(append([]ModelCount{}, r.Models...), g.all.found.Models...)
	}
	return r, true
}
