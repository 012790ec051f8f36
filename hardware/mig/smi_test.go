package mig

import (
	"bytes"
	"strings"
	"testing"
)

func printed(t *testing.T, print func(*bytes.Buffer) error) []string {
	t.Helper()
	var b bytes.Buffer
	if err := print(&b); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// holds looks for lines and checks that all are of one width.
func holds(t *testing.T, lines []string, width int, want ...string) {
	t.Helper()
	all := strings.Join(lines, "\n")
	for _, w := range want {
		if !strings.Contains(all, w) {
			t.Errorf("no %q in\n%s", w, all)
		}
	}
	for _, l := range lines {
		if len(l) != width {
			t.Errorf("%d wide, want %d: %q", len(l), width, l)
		}
	}
}

// TestTablesOfProfiles compares with rows that hosts printed.
func TestTablesOfProfiles(t *testing.T) {
	lgip := func(gpu string, branch int) []string {
		return printed(t, func(b *bytes.Buffer) error { return device(t, gpu).PrintProfiles(b, LayoutOf(branch)) })
	}
	holds(t, lgip("A100-40GB", 535), 79,
		"| GPU instance profiles:                                                      |\n"+
			"| GPU   Name             ID    Instances   Memory     P2P    SM    DEC   ENC  |\n"+
			"|                              Free/Total   GiB              CE    JPEG  OFA  |\n"+
			"|=============================================================================|\n"+
			"|   0  MIG 1g.5gb        19     7/7        4.75       No     14     0     0   |\n"+
			"|                                                             1     0     0   |\n"+
			"+-----------------------------------------------------------------------------+\n")
	holds(t, lgip("H100-80GB", 550), 79,
		"|   0  MIG 3g.40gb        9     2/2        39.50      No     60     3     0   |\n"+
			"|                                                             3     3     0   |\n",
		"|   0  MIG 7g.80gb        0     1/1        79.25      No     132    7     0   |\n"+
			"|                                                             8     7     1   |\n")
	holds(t, lgip("GB200-186GB", 570), 81, "|   0  MIG 1g.47gb         15     4/4        45.50      No     32     1     0   |\n",
		"|   0  MIG 7g.189gb         0     1/1        -          No     -      -     0   |\n")
	holds(t, lgip("B300-269GB", 580), 81, "|   0  MIG 7g.269gb         -     1/1        -          -      -      -     -   |\n")
}

func TestTableOfComputeProfiles(t *testing.T) {
	d := device(t, "A100-40GB")
	p, _ := d.Profile("3g.20gb")
	holds(t, printed(t, func(b *bytes.Buffer) error { return d.PrintComputeProfiles(b, p, 1) }), 88,
		"|   0      1       MIG 1c.3g.20gb       0      3/3           14        2     0     0   |\n"+
			"|                                                                      3     0         |\n",
		"|   0      1       MIG 3g.20gb          2*     1/1           42        2     0     0   |\n")
}

func TestTableOfInstances(t *testing.T) {
	d := device(t, "A100-40GB")
	node, faults := d.Partition([]Entry{{All: true, MIG: true, Want: []Count{{"3g.20gb", 1}, {"1g.5gb", 1}}}}, 1)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	holds(t, printed(t, func(b *bytes.Buffer) error { return d.PrintInstances(b, node) }), 57,
		"|   0  MIG 3g.20gb          9        2          4:4     |\n", "|   0  MIG 1g.5gb          19        7          0:1     |\n")
	if got := printed(t, func(b *bytes.Buffer) error { return d.PrintInstances(b, []GPU{{}}) }); got[0] != "No MIG-enabled devices found." {
		t.Errorf("%q", got)
	}
	var set []Instance
	for _, in := range node[0].Instances {
		set = append(set, in.Instance)
	}
	if got, want := d.Draw(set), "|1g |   |   |   |3g             |"; got != want {
		t.Errorf("drawn %q, want %q", got, want)
	}
}

// TestSharedLayouts compares with the layouts of the shared facts.
func TestSharedLayouts(t *testing.T) {
	formats := shared(t, "hardware", "smi_formats.yaml")
	d := device(t, "A100-40GB")
	p, _ := d.Profile("3g.20gb")
	node := []GPU{{MIG: true, Instances: []Placed{{Instance{"3g.20gb", 4}, 2, 4}}}}
	for _, lines := range [][]string{
		printed(t, func(b *bytes.Buffer) error { return d.PrintProfiles(b, LayoutOf(535)) })[:8],
		printed(t, func(b *bytes.Buffer) error { return d.PrintInstances(b, node) }),
		printed(t, func(b *bytes.Buffer) error { return d.PrintComputeProfiles(b, p, 1) })[:6],
	} {
		for _, l := range lines {
			if !strings.Contains(formats, l+"\n") {
				t.Errorf("the shared layouts have no line %q", l)
			}
		}
	}
}
