package topology

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// shared is a file beside the repository. Without that folder the test is left
// out, but not where CI says that it must be there.
func shared(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "shared", "data"}, parts...)...)
	data, err := os.ReadFile(path)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("CI must have the shared data: %v", err)
		}
		t.Skipf("skipped: the shared data are not there: %v", err)
	}
	return string(data)
}

func read(t testing.TB, text string) *Node {
	t.Helper()
	n, err := Read("topo.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func printed(t testing.TB, n *Node) string {
	t.Helper()
	var b bytes.Buffer
	if err := n.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFieldMatrix(t *testing.T) {
	text := shared(t, "field", "17-topo-matrix", "topo.txt")
	n := read(t, text)
	want := []GPU{{0, "0-27,56-83", "0", ""}, {1, "0-27,56-83", "0", ""}, {2, "28-55,84-111", "1", ""}, {3, "28-55,84-111", "1", ""}}
	if !slices.Equal(n.GPUs, want) || !slices.Equal(n.NICs, []NIC{{"NIC0", "mlx5_0"}, {"NIC1", "mlx5_1"}}) {
		t.Errorf("%v %v", n.GPUs, n.NICs)
	}
	for i, nic := range []string{"NIC0", "NIC0", "NIC1", "NIC1"} {
		if got := n.NearestNIC(i); got != nic {
			t.Errorf("GPU%d: nearest %s", i, got)
		}
	}
	for _, c := range []struct {
		k          int
		busy, want []int
		worst      Link
	}{{2, nil, []int{0, 1}, "NV12"}, {2, []int{0}, []int{2, 3}, NODE}, {2, []int{0, 2}, []int{1, 3}, SYS}, {4, nil, []int{0, 1, 2, 3}, SYS}, {1, []int{0}, []int{1}, ""}} {
		got, worst, err := n.Pick(c.k, c.busy)
		if err != nil || !slices.Equal(got, c.want) || worst != c.worst {
			t.Errorf("pick %d of all but %v: %v %s %v", c.k, c.busy, got, worst, err)
		}
	}
	ring := n.Ring()
	if !slices.Equal(ring, []int{0, 1, 2, 3}) {
		t.Errorf("ring %v", ring)
	}
	edited := strings.Replace(text, "GPU1\tNV12", "GPU1\tSYS", 1)
	_, err := Read("topo.txt", edited)
	if err == nil || !strings.Contains(err.Error(), "row GPU0, column GPU1 says NV12 (line 2)") || !strings.Contains(err.Error(), "row GPU1, column GPU0 says SYS (line 3)") {
		t.Error(err)
	}
	if head, _, _ := strings.Cut(text, "\nLegend"); !strings.HasPrefix(printed(t, n), head) {
		t.Errorf("printed:\n%s\nread:\n%s", printed(t, n), head)
	}
}

// TestOddForms reads one matrix in the forms in which it is met.
func TestOddForms(t *testing.T) {
	plain := "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n" +
		"GPU0\t X \tNV4\tPIX\t0-3\t0\t\tN/A\nGPU1\tNV4\t X \tSYS\t4-7\t1\t\tN/A\nNIC0\tPIX\tSYS\t X \n"
	want := read(t, plain)
	blanks := "        GPU0    GPU1    NIC0    CPU Affinity    NUMA Affinity   GPU NUMA ID\n" +
		"GPU0     X      NV4     PIX     0-3     0               N/A\nGPU1    NV4      X      SYS     4-7     1               N/A\nNIC0    PIX     SYS      X \n"
	for name, text := range map[string]string{
		"underlined":        "\x1b[4m\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n" + plain[strings.Index(plain, "GPU0\t X"):],
		"escapes lost":      "[4m\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID[0m\n" + plain[strings.Index(plain, "GPU0\t X"):],
		"blanks":            blanks,
		"DOS line ends":     strings.ReplaceAll(plain, "\n", "\r\n"),
		"byte order mark":   "\ufeff" + plain,
		"text around":       "$ nvidia-smi topo -m\n```\n" + plain + "```\nthat was all\n",
		"no row of the NIC": plain[:strings.Index(plain, "NIC0\tPIX")],
		"no last newline":   strings.TrimSuffix(plain, "\n"),
		"blank lines":       strings.ReplaceAll(plain, "\n", "\n\n"),
		"trailing tabs":     strings.ReplaceAll(plain, "\n", "\t\t\n"),
		"no NUMA ID":        strings.ReplaceAll(strings.ReplaceAll(plain, "\tGPU NUMA ID", ""), "\t\tN/A", ""),
	} {
		if n, err := Read(name, text); err != nil || !reflect.DeepEqual(n, want) {
			t.Errorf("%s: %v, %+v", name, err, n)
		}
	}
	old := read(t, "\tGPU0\tGPU1\tmlx5_0\tCPU Affinity\nGPU0\t X \tSOC\tPHB\t0-9,20-29\nGPU1\tSOC\t X \tSOC\t10-19\nmlx5_0\tPHB\tSOC\t X \t\n")
	if old.Links[0][1] != SYS || old.NearestNIC(1) != "mlx5_0" || old.GPUs[0] != (GPU{0, "0-9,20-29", "", ""}) {
		t.Errorf("%+v", old)
	}
	bare := read(t, "\tGPU0\tGPU1\nGPU0\t X \tPHB\nGPU1\tPHB\t X \n")
	if bare.GPUs[1] != (GPU{Index: 1}) || bare.NearestNIC(0) != "" {
		t.Errorf("%+v", bare)
	}
	alone := read(t, "NVIDIA Topology:\n\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t\t\t\tN/A\n")
	if alone.GPUs[0] != (GPU{Index: 0}) || !slices.Equal(alone.Ring(), []int{0}) {
		t.Errorf("%+v", alone)
	}
	grace := read(t, "\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t0-71\t0\t\t1\n")
	if grace.GPUs[0] != (GPU{0, "0-71", "0", "1"}) {
		t.Errorf("%+v", grace)
	}
	unknown := read(t, "\tGPU2\tGPU5\nGPU2\t X \tN/A\nGPU5\tN/A\t X \n")
	if p, worst, err := unknown.Pick(2, nil); err != nil || worst != Unknown || unknown.GPUs[p[1]].Index != 5 {
		t.Errorf("%v %s %v", p, worst, err)
	}
}

func TestReadRefuses(t *testing.T) {
	for text, words := range map[string]string{
		"":                                       "there is no line with GPU0",
		"\tGPU0\tGPU1\nGPU0\t X \tNV1\n":         "the matrix ends without the row of GPU1",
		"\tGPU0\tGPU1\nGPU0\t X \nGPU1\tNV1\t X": "t:2: row GPU0 is cut off: it has 1 links and should have 2",
		"\tGPU0\tGPU1\nGPU0\t X \tNV\nGPU1\tNV\t X ":                                      `row GPU0, column GPU1: "NV" is no link`,
		"\tGPU0\tGPU1\nGPU0\t X \tNV0\nGPU1\tNV0\t X ":                                    `"NV0" is no link`,
		"\tGPU0\tGPU1\nGPU0\tSYS\tNV1\nGPU1\tNV1\t X ":                                    "the diagonal must be X",
		"\tGPU0\tGPU1\nGPU0\t X \t X \nGPU1\t X \t X ":                                    "only on the diagonal",
		"\tGPU0\tGPU1\nGPU0\t X \tNV1\nGPU0\t X \tNV1\nGPU1\tNV1\t X ":                    "second row GPU0; the first is on line 2",
		"\tGPU0\tGPU0\nGPU0\t X \tNV1\n":                                                  "names GPU0 twice",
		"GPU0\t X \tNV1\nGPU1\tNV1\t X \n":                                                "its header is missing",
		"\tGPU0\nGPU0\t X \nGPU1\tNV1\n":                                                  "a row GPU1, but no such column",
		"\tGPU0\tGPU1\nGPU0\t X \tNV1\nLegend:\n":                                         "without the row of GPU1",
		"\tGPU0\tGPU1\nGPU0\t X \tNV1\nhello\n":                                           `"hello" is no row`,
		"\tGPU0\tNIC0\tGPU1\n":                                                            "GPU1 behind the NICs",
		"\tGPU0\tCPU Affinity\tNIC0\n":                                                    "NIC0 behind the affinity",
		"\tGPU0\tCPU Affinity\nGPU0\t X \t9-4\n":                                          "goes backwards",
		"\tGPU0\tCPU Affinity\nGPU0\t X \tall\n":                                          `"all" is no list`,
		"\tGPU0\tCPU Affinity\nGPU0\t X \t0-3\t0\n":                                       "2 cells behind its links, the header 1 columns",
		"\tGPU0\tNIC0\nGPU0\t X \tPIX\nNIC0\tPIX\t X \t0-3\n":                             "only GPUs have an affinity",
		"\tGPU0\tNIC0\nGPU0\t X \tPIX\nNIC0\tPIX\t X \n\nNIC Legend:\n\n  NIC1: mlx5_0\n": "the legend names NIC1",
	} {
		if _, err := Read("t", text); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v, want %q", text, err, words)
		}
	}
}

// randomNode is any node that can be written.
func randomNode(r *rand.Rand) *Node {
	n := &Node{}
	lists := []string{"", "0-3", "0", "0-27,56-83", "1,3"}
	for i, gpus := 0, 1+r.IntN(9); i < gpus; i++ {
		n.GPUs = append(n.GPUs, GPU{2 * i, lists[r.IntN(5)], lists[r.IntN(5)], lists[r.IntN(5)]})
	}
	for i, nics := 0, r.IntN(5); i < nics; i++ {
		c := NIC{Name: "NIC" + strconv.Itoa(i), Device: "mlx5_" + strconv.Itoa(i)}
		if r.IntN(2) == 0 {
			c = NIC{Name: c.Device}
		}
		n.NICs = append(n.NICs, c)
	}
	links := []Link{PIX, PXB, PHB, NODE, SYS, Unknown, "NV1", "NV18"}
	size := len(n.GPUs) + len(n.NICs)
	for i := range size {
		n.Links = append(n.Links, make([]Link, size))
		n.Links[i][i] = Self
		for j := range i {
			l := links[r.IntN(len(links))]
			n.Links[i][j], n.Links[j][i] = l, l
		}
	}
	return n
}

func TestPrintAndReadAreInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := randomNode(r)
		text := printed(t, n)
		got, err := Read("t", text)
		if err != nil || !reflect.DeepEqual(got, n) {
			t.Fatalf("%v\nread %+v\nfrom %+v\n%s", err, got, n, text)
		}
	}
}

func FuzzRead(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5 {
		f.Add(printed(f, randomNode(r)))
	}
	f.Add("\x1b[4m\tGPU0\tGPU1\tCPU Affinity\x1b[0m\nGPU0\t X \tSOC\t0-1\nGPU1\tSOC\t X \t2\n")
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Read("t", text)
		if err != nil {
			return
		}
		again, err := Read("t", printed(t, n))
		if err != nil || !reflect.DeepEqual(again, n) {
			t.Fatalf("%v\nread %+v\nagain %+v", err, n, again)
		}
	})
}
