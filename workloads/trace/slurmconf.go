package trace

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// The slurm-conf format is a cluster as Slurm is told of it: slurm.conf, with
// the gres.conf beside it (or in the list of paths), or a folder that holds
// both. Each node of a NodeName line is a record. Read of slurm.conf:
//
//	NodeName=n[1-4,7] CPUs=64 RealMemory=512000 (MiB) Gres=gpu:a100:8 State=...
//	          (without CPUs: Boards x Sockets x CoresPerSocket x
//	          ThreadsPerCore); NodeName=DEFAULT holds for the lines below it
//	DownNodes=n1 State=DOWN
//	PartitionName=... Nodes=... Default= MaxTime= State= TRESBillingWeights=
//	ClusterName, GresTypes, AccountingStorageTRES, PriorityFlags
//
// and of gres.conf NodeName, Name=gpu, Type, File=/dev/nvidia[0-7], Count and
// AutoDetect. Keys may be in any case; a backslash at the end continues a line;
// # begins a comment. Other keys and lines are noted with their line number
// (unknown-line).
//
// The configured number of GPUs is that of Gres=, the found one that of
// gres.conf. A node that finds fewer than are configured (of a type, where both
// name types; none where gres.conf has no line for it) is drained by Slurm: it
// is skipped as out-of-service, named in the report with both numbers, and is
// no node of the list. One that finds more uses those that are configured
// (noted: gres-mismatch). Nothing is known of what is found where there is no
// gres.conf or it says AutoDetect without files: then all that is configured
// counts (noted: gres-unknown). A State of DOWN, DRAIN, FAIL or FUTURE is out of
// service too.
//
// Reasons: missing, not-a-number, negative, out-of-range, bad-quantity,
// duplicate-id; skipped: out-of-service; noted: unknown-line, unknown-node (a
// name that slurm.conf does not define), unknown-gpu (no type, or several),
// mig-slices, gres-mismatch, gres-unknown; repaired: encoding.
func slurmConfFormat() Format {
	return Format{
		Name:     "slurm-conf",
		Doc:      "nodes of a Slurm cluster (slurm.conf and gres.conf)",
		Nodes:    true,
		Sample:   "slurm.conf",
		lacks:    []string{"from", "until", "shift", "scale"},
		names:    []string{"gpu_type"},
		open:     openSlurmConf,
		folder:   findSlurmConf,
		prepare:  prepareSlurmConf,
		describe: describeSlurmConf,
	}
}

// slurmEnv is what gres.conf and the partitions say.
type slurmEnv struct {
	gres       *gresFile // nil: there is none
	partitions []slurmPartition
	facts      Facts
	read       bool // the two are complete
	out        []OutOfService
	nodes      int64 // of slurm.conf, in service or not
	gpus       int64
}

// findSlurmConf finds slurm.conf in a folder.
func findSlurmConf(dir string, _ *env) (string, error) {
	path := filepath.Join(dir, "slurm.conf")
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s is a folder without slurm.conf", dir)
	}
	return path, nil
}

// prepareSlurmConf finds and reads gres.conf.
func prepareSlurmConf(t *Trace) error {
	e := &slurmEnv{}
	t.env.slurm = e
	var conf []*input
	var gres *input
	for _, in := range t.inputs {
		if strings.Contains(strings.ToLower(filepath.Base(in.path)), "gres") {
			gres = in
			continue
		}
		conf = append(conf, in)
	}
	if len(conf) != 1 {
		return fmt.Errorf("%d files are no gres.conf; name one slurm.conf", len(conf))
	}
	t.inputs = conf
	if gres == nil {
		path := filepath.Join(filepath.Dir(conf[0].path), "gres.conf")
		if info, err := os.Stat(path); err != nil || info.IsDir() || conf[0].path == "-" {
			return nil
		}
		var err error
		if gres, err = newInput(path); err != nil {
			return err
		}
	}
	t.sides = append(t.sides, gres)
	s, err := gres.open(true)
	if err != nil {
		return err
	}
	defer s.close()
	lines, n, err := readConf(s)
	if err != nil {
		return atFile(gres.path, err)
	}
	gres.lines, gres.records = n, int64(len(lines))
	e.gres = newGresFile(gres.path, lines, func(line int64, reason, message string) {
		t.tally.issue(gres.path, "", rowIssue{reason, Noted, line, 0, message})
	})
	return s.finish()
}

// slurmNode is a node as slurm.conf has it.
type slurmNode struct {
	name   string
	line   *confLine
	state  string
	config map[string]string // keys in lower case
	bad    string            // what is wrong with its line
	first  int64             // line of the node of the same name before it
}

type slurmConfReader struct {
	env   *env
	nodes []slurmNode
	i     int // the current node is nodes[i-1]
	count int64
	head  about
}

func openSlurmConf(r io.Reader, e *env) (reader, error) {
	lines, n, err := readConf(r)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, &placeError{message: "the file is empty: no node"}
	}
	s := &slurmConfReader{env: e, count: n}
	s.head.has = fields{gpuType: true}
	s.take(lines)
	return s, nil
}

// nodeKeys are the keys of a NodeName line that need no note.
func nodeKeys() []string {
	return []string{"nodename", "cpus", "procs", "realmemory", "gres", "state", "boards", "sockets", "socketsperboard", "corespersocket", "threadspercore",
		"feature", "features", "weight", "nodeaddr", "nodehostname", "port", "tmpdisk", "reason", "bcastaddr", "cpuspeclist", "corespeccount", "memspeclimit", "topology"}
}

// take reads the lines of slurm.conf.
func (s *slurmConfReader) take(lines []confLine) {
	defaults := map[string]string{}
	down := map[string]string{}
	known := map[string]bool{}
	var partitions []slurmPartition
	var facts Facts
	odd := func(l *confLine, what string) {
		s.head.notes = append(s.head.notes, note{"unknown-line", l.line, 1, what + " is not read: " + quoted([]byte(strings.TrimSpace(l.text)))})
	}
	for i := range lines {
		l := &lines[i]
		first := strings.ToLower(l.words[0].key)
		switch first {
		case "nodename":
			s.nodeLine(l, defaults, odd)
		case "downnodes", "downnode":
			state, _ := l.get("State")
			if state == "" {
				state = "DOWN"
			}
			names, err := expandHosts(l.words[0].value)
			if err != nil {
				odd(l, err.Error()+": this")
			}
			for _, n := range names {
				down[n] = state
			}
		case "partitionname":
			partitions = append(partitions, newSlurmPartition(l, odd))
		case "clustername", "grestypes", "accountingstoragetres", "priorityflags":
			facts.set(first, l.words[0].value)
		default:
			odd(l, "this line")
		}
	}
	first := map[string]int64{}
	for i := range s.nodes {
		n := &s.nodes[i]
		n.first = first[n.name]
		if n.first == 0 && n.bad == "" {
			first[n.name] = n.line.line
		}
		known[n.name] = true
		if state, is := down[n.name]; is {
			n.state = state
		}
	}
	s.unknownNodes(partitions, down, known)
	if e := s.env.slurm; !e.read { // a later reading has nothing to add
		e.partitions, e.facts, e.read = partitions, facts, true
	}
}

// nodeLine adds the nodes of a line.
func (s *slurmConfReader) nodeLine(l *confLine, defaults map[string]string, odd func(*confLine, string)) {
	config := map[string]string{}
	for k, v := range defaults {
		config[k] = v
	}
	for _, w := range l.words {
		key := strings.ToLower(w.key)
		if !contains(nodeKeys(), key) {
			odd(l, fmt.Sprintf("key %q of a node", w.key+w.value))
			continue
		}
		config[key] = w.value
	}
	if strings.EqualFold(config["nodename"], "DEFAULT") {
		delete(config, "nodename")
		for k, v := range config {
			defaults[k] = v
		}
		return
	}
	names, err := expandHosts(config["nodename"])
	if err != nil || len(names) == 0 || len(s.nodes)+len(names) > hostsMost {
		message := "it names no node"
		if err != nil {
			message = err.Error()
		}
		s.nodes = append(s.nodes, slurmNode{name: config["nodename"], line: l, config: config, bad: message})
		return
	}
	for _, n := range names {
		s.nodes = append(s.nodes, slurmNode{name: n, line: l, config: config, state: config["state"]})
	}
}

func (s *slurmConfReader) about() about { return s.head }

func (s *slurmConfReader) columns() []string { return []string{"NodeName", "Gres", "State"} }

func (s *slurmConfReader) value(column string) []byte {
	n := &s.nodes[s.i-1]
	switch column {
	case "NodeName":
		return []byte(n.name)
	case "State":
		return []byte(n.state)
	}
	return []byte(n.config["gres"])
}

func (s *slurmConfReader) next() error {
	if s.i == len(s.nodes) {
		return io.EOF
	}
	s.i++
	return nil
}

func (s *slurmConfReader) line() int64 { return s.nodes[s.i-1].line.line }

func (s *slurmConfReader) lines() int64 { return s.count }

func (s *slurmConfReader) bytes() []byte { return []byte(s.nodes[s.i-1].line.text) }
