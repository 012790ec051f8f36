package topology

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What a line may hold beside the matrix.
var (
	escapes  = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]|\x1b\(B|\^?\[[0-9;]{1,5}m|\x{feff}`) // underlined headers; the escape may have been lost
	affinity = regexp.MustCompile(`(?i)\b(?:(CPU|NUMA)[ \t]+Affinity|GPU[ \t]+(NUMA)[ \t]+ID)\b`)
	gpuName  = regexp.MustCompile(`^GPU([0-9]{1,6})$`)
	cpuList  = regexp.MustCompile(`^[0-9]{1,6}(-[0-9]{1,6})?(,[0-9]{1,6}(-[0-9]{1,6})?)*$`)
)

// maxDevices bounds the columns of a matrix.
const maxDevices = 512

// Read reads what nvidia-smi topo -m printed; name is its name in errors. It
// takes tabs or blanks, the headers of all drivers (mlx5_0 instead of NIC0, no
// NUMA columns), escape sequences, text around the matrix and matrices without
// rows of NICs. What contradicts itself or is cut off is refused.
func Read(name, text string) (*Node, error) {
	r := &matrix{file: name}
	lines := strings.Split(escapes.ReplaceAllString(strings.ReplaceAll(text, "\u00a0", " "), ""), "\n")
	at := 0
	for ; at < len(lines); at++ {
		if f := strings.Fields(lines[at]); len(f) > 0 && gpuName.MatchString(f[0]) {
			break
		}
	}
	if at == len(lines) {
		return nil, fmt.Errorf("%s: there is no line with GPU0, GPU1 and so on; write what nvidia-smi topo -m prints", name)
	}
	r.line = at + 1
	if err := r.header(lines[at]); err != nil {
		return nil, err
	}
	for at++; at < len(lines); at++ {
		r.line = at + 1
		f := strings.Fields(lines[at])
		if len(f) == 0 {
			continue
		}
		if f[0] == "Legend:" || f[0] == "NIC" && slices.Contains(f, "Legend:") {
			break
		}
		if !slices.Contains(r.names, f[0]) {
			if gpuName.MatchString(f[0]) {
				return nil, r.errorf("there is a row %s, but no such column", f[0])
			}
			if r.missing() == "" {
				break // text behind the matrix
			}
			return nil, r.errorf("%q is no row of the matrix, and %s is still missing", f[0], r.missing())
		}
		if err := r.row(f[0], lines[at]); err != nil {
			return nil, err
		}
	}
	if m := r.missing(); m != "" {
		return nil, r.errorf("the matrix ends without %s", m)
	}
	n, err := r.node()
	if err != nil {
		return nil, err
	}
	return n, r.legend(n, lines, at)
}

// matrix is what is read, before its halves are compared.
type matrix struct {
	file  string
	line  int
	names []string // of the columns
	gpus  []GPU
	ends  []string // of the columns behind the links: CPU, NUMA, ID
	rows  map[string][]Link
	at    map[string]int // lines of the rows
}

func (r *matrix) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, r.line, fmt.Sprintf(format, args...))
}

// header reads the names of the columns.
func (r *matrix) header(line string) error {
	r.rows, r.at = map[string][]Link{}, map[string]int{}
	line = affinity.ReplaceAllStringFunc(line, func(s string) string {
		switch s = strings.ToUpper(s); {
		case strings.HasPrefix(s, "CPU"):
			return " *CPU "
		case strings.HasPrefix(s, "NUMA"):
			return " *NUMA "
		default:
			return " *ID "
		}
	})
	for _, w := range strings.Fields(line) {
		end, is := strings.CutPrefix(w, "*")
		m := gpuName.FindStringSubmatch(w)
		switch {
		case w == string(Self):
			return r.errorf("this is a row of a matrix, but its header is missing above")
		case slices.Contains(r.names, w) || is && slices.Contains(r.ends, end):
			return r.errorf("the header names %s twice", w)
		case is:
			r.ends = append(r.ends, end)
			continue
		case len(r.ends) > 0:
			return r.errorf("the header has %s behind the affinity columns", w)
		case m != nil && len(r.gpus) < len(r.names):
			return r.errorf("the header has %s behind the NICs", w)
		case m != nil:
			index, _ := strconv.Atoi(m[1])
			if m[1] != strconv.Itoa(index) {
				return r.errorf("the header has %s; write GPU%d", w, index)
			}
			r.gpus = append(r.gpus, GPU{Index: index})
		}
		r.names = append(r.names, w)
	}
	if len(r.names) > maxDevices {
		return r.errorf("the matrix has %d columns; at most %d are read", len(r.names), maxDevices)
	}
	return nil
}

// missing is the first GPU without a row.
func (r *matrix) missing() string {
	for _, name := range r.names[:len(r.gpus)] {
		if r.rows[name] == nil {
			return "the row of " + name
		}
	}
	return ""
}

// row reads one row.
func (r *matrix) row(name, line string) error {
	if r.rows[name] != nil {
		return r.errorf("there is a second row %s; the first is on line %d", name, r.at[name])
	}
	cells := cells(line)[1:]
	self := slices.Index(r.names, name)
	var links []Link
	for i, column := range r.names {
		if i >= len(cells) || cells[i] == "" && i+1 == len(cells) {
			return r.errorf("row %s is cut off: it has %d links and should have %d", name, i, len(r.names))
		}
		l, ok := parseLink(cells[i])
		switch {
		case !ok:
			return r.errorf("row %s, column %s: %q is no link; use NV1, NV2, ..., PIX, PXB, PHB, NODE, SYS, X or N/A", name, column, cells[i])
		case i == self && l != Self:
			return r.errorf("row %s, column %s: the diagonal must be X, not %s", name, column, l)
		case i != self && l == Self:
			return r.errorf("row %s, column %s: X stands only on the diagonal", name, column)
		}
		links = append(links, l)
	}
	r.rows[name], r.at[name] = links, r.line
	rest := cells[len(r.names):]
	for len(rest) > 0 && rest[len(rest)-1] == "" {
		rest = rest[:len(rest)-1]
	}
	if self >= len(r.gpus) {
		if len(rest) > 0 {
			return r.errorf("row %s has %q behind its links; only GPUs have an affinity", name, rest[0])
		}
		return nil
	}
	return r.affinity(&r.gpus[self], name, rest)
}

// affinity reads the cells behind the links. The tool leaves one cell empty
// before the NUMA node of the GPU.
func (r *matrix) affinity(g *GPU, name string, cells []string) error {
	if n := len(r.ends); len(cells) == n+1 && n > 0 && cells[n-1] == "" {
		cells = slices.Delete(slices.Clone(cells), n-1, n)
	}
	if len(cells) > len(r.ends) {
		return r.errorf("row %s has %d cells behind its links, the header %d columns", name, len(cells), len(r.ends))
	}
	for i, c := range cells {
		if c == "" || c == string(Unknown) || c == "-1" {
			continue
		}
		if err := checkList(c); err != nil {
			return r.errorf("row %s: %v", name, err)
		}
		switch r.ends[i] {
		case "CPU":
			g.CPUs = c
		case "NUMA":
			g.NUMA = c
		default:
			g.NUMAID = c
		}
	}
	return nil
}

// checkList checks a list of CPUs or NUMA nodes such as 0-27,56-83.
func checkList(s string) error {
	if !cpuList.MatchString(s) {
		return fmt.Errorf("%q is no list of numbers such as 0-27,56-83", s)
	}
	for _, part := range strings.Split(s, ",") {
		if a, b, is := strings.Cut(part, "-"); is {
			from, _ := strconv.Atoi(a)
			if to, _ := strconv.Atoi(b); to < from {
				return fmt.Errorf("%s in %q goes backwards", part, s)
			}
		}
	}
	return nil
}

// cells splits a row at tabs, or at blanks where it has none.
func cells(line string) []string {
	var list []string
	for _, c := range strings.Split(strings.TrimLeft(line, " \t"), "\t") {
		if f := strings.Fields(c); len(f) > 0 {
			list = append(list, f...)
		} else {
			list = append(list, "")
		}
	}
	return list
}

// node compares the halves and makes the node.
func (r *matrix) node() (*Node, error) {
	n := &Node{GPUs: r.gpus}
	for _, name := range r.names[len(r.gpus):] {
		n.NICs = append(n.NICs, NIC{Name: name})
	}
	for i, a := range r.names {
		row := make([]Link, len(r.names))
		for j, b := range r.names {
			x, y := r.link(i, j), r.link(j, i)
			if x != "" && y != "" && x != y {
				return nil, fmt.Errorf("%s: the matrix contradicts itself: row %s, column %s says %s (line %d), but row %s, column %s says %s (line %d)",
					r.file, a, b, x, r.at[a], b, a, y, r.at[b])
			}
			if row[j] = x; x == "" {
				row[j] = y
			}
			if row[j] == "" {
				row[j] = Unknown
				if i == j {
					row[j] = Self
				}
			}
		}
		n.Links = append(n.Links, row)
	}
	return n, nil
}

// link is a cell, empty where the row is missing.
func (r *matrix) link(i, j int) Link {
	if row := r.rows[r.names[i]]; row != nil {
		return row[j]
	}
	return ""
}

// legend reads the names of the NICs behind the matrix.
func (r *matrix) legend(n *Node, lines []string, at int) error {
	in := false
	for ; at < len(lines); at++ {
		r.line = at + 1
		f := strings.Fields(lines[at])
		switch {
		case len(f) == 2 && f[0] == "NIC" && f[1] == "Legend:":
			in = true
		case in && len(f) == 2 && strings.HasSuffix(f[0], ":"):
			name := strings.TrimSuffix(f[0], ":")
			i := slices.IndexFunc(n.NICs, func(c NIC) bool { return c.Name == name })
			if i < 0 {
				return r.errorf("the legend names %s, which is not in the matrix", name)
			}
			n.NICs[i].Device = f[1]
		case in && len(f) > 0:
			return nil
		}
	}
	return nil
}
