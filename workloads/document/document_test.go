package document

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gpusim/hardware/units"
)

type inner struct {
	Gpus  int             `yaml:"gpus" required:"true"`
	Limit *units.Duration `yaml:"limit"`
}

type outer struct {
	Name   string            `yaml:"name" required:"true"`
	Mode   string            `yaml:"mode" enum:"fast,slow"`
	Nodes  []inner           `yaml:"nodes"`
	Labels map[string]string `yaml:"labels"`
	Share  *units.Share      `yaml:"share"`
	On     *bool             `yaml:"on"`
}

func read(t *testing.T, text string) (outer, error) {
	t.Helper()
	var o outer
	n, err := Parse("f.yaml", []byte(text))
	if err != nil {
		return o, err
	}
	return o, Decode(n, &o)
}

func TestAllErrorsAtOnceWithPositions(t *testing.T) {
	_, err := read(t, "mode: quick\nnodes:\n  - {gpus: many, limt: 5s}\n  - {limit: -5s}\nshare: 2\non: yes\nx-note: [1]\n")
	var es Errors
	if !errors.As(err, &es) {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{
		"f.yaml:1:1: name is missing",
		`f.yaml:1:7: unknown value "mode: quick" (known: fast, slow)`,
		`f.yaml:3:12: nodes[0].gpus must be a whole number, not "many"`,
		`f.yaml:3:18: unknown key "nodes[0].limt"; did you mean limit? (known: gpus, limit)`,
		"f.yaml:4:5: nodes[1].gpus is missing",
		`f.yaml:4:13: nodes[1].limit: "-5s" is negative`,
		`f.yaml:5:8: share: "2" is not a share`,
		`f.yaml:6:5: on must be true or false, not "yes"`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
	if len(es) != 8 {
		t.Errorf("%d errors:\n%v", len(es), err)
	}
}

func TestADocumentIsAMapping(t *testing.T) {
	if _, err := read(t, "- a\n"); err == nil || err.Error() != "f.yaml:1:1: the document must be a mapping, not a list" {
		t.Error(err)
	}
	if o, err := read(t, "\ufeffname: a\r\nnodes: [{gpus: 1}]\r\n"); err != nil || o.Name != "a" || len(o.Nodes) != 1 {
		t.Errorf("a byte order mark and CRLF: %+v %v", o, err)
	}
}

func TestRoundTrip(t *testing.T) {
	in := "name: \"1\"\nnodes:\n  - {gpus: 0, limit: 0s}\n  - {gpus: 8}\nlabels: {b: \"true\", a: x}\nshare: 0.25\non: false\n"
	a, err := read(t, in)
	if err != nil {
		t.Fatal(err)
	}
	if a.Nodes[0].Limit == nil || a.Nodes[1].Limit != nil || *a.On {
		t.Fatalf("an explicit zero is not unset: %+v", a)
	}
	out, err := Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	b, err := read(t, string(out))
	if err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	again, err := Marshal(b)
	if err != nil || string(again) != string(out) {
		t.Fatalf("%v\n%s\n%s", err, out, again)
	}
}

func TestMergeKeysAndAnchors(t *testing.T) {
	o, err := read(t, "name: a\nx-base: &g {gpus: 8, limit: 1h}\nnodes:\n  - *g\n  - {<<: *g, gpus: 4}\n")
	if err != nil || o.Nodes[0].Gpus != 8 || o.Nodes[1].Gpus != 4 || *o.Nodes[1].Limit != units.Duration(3600e9) {
		t.Fatalf("%+v %v", o, err)
	}
}

func TestBadDocuments(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "is empty",
		"# nothing\n":               "is empty",
		"a: 1\na: 2\n":              `f.yaml:2:1: key "a" is already set in line 1, column 1`,
		"a: 1\n---\nb: 2\n":         "f.yaml:2:1: a second document",
		"~":                         "is empty",
		"{a: 1, a: 2}":              `f.yaml:1:8: key "a" is already set in line 1, column 2`,
		"a: *b\n":                   "f.yaml:1:4: there is no anchor &b above",
		"x: 1\na: [1,\n  2\nb: 1\n": "f.yaml:2:1: not valid YAML: did not find expected ',' or ']'; a comma or the closing bracket is missing",
		"a:\n\t- 1\n":               "indent with blanks, not tabs",
		"a: b: c\n":                 "f.yaml:1:1: not valid YAML: mapping values are not allowed",
		"a: !!binary x\n":           "f.yaml:1:4: tag !!binary is not known here",
		"a: !thing {b: 1}\n":        "f.yaml:1:4: tag !thing is not known here",
		"? [a]\n: b\n":              "a key must be a single word",
		"a: {<<: 1}\n":              "<< needs a mapping",
		"name: \x00\n":              "f.yaml:1:7: a zero byte",
		"version https://git-lfs.github.com/spec/v1\n": "large-file pointer",
		"\xfe\xff\x00a":                 "UTF-16",
		"a: [1, 2\n":                    "not valid YAML",
		"\xff\xfea\x00":                 "UTF-16",
		"name: \xe9\n":                  "f.yaml:1:7: byte 0xE9 is not UTF-8",
		"a: &a\n  b: *a\n":              "contains itself",
		strings.Repeat("[", 5000):       "nested deeper",
		strings.Repeat("- ", 300) + "a": "nested deeper",
	} {
		_, err := Parse("f.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
}

func TestFieldCase22(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "data", "field", "22-broken-bytes")
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("skipped: the shared data are not there")
	}
	for name, want := range map[string]string{"laughs.yaml": "expand to more", "self-anchor.yaml": "contains itself", "deep.yaml": "nested deeper", "anchors-fine.yaml": ""} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		n, err := Parse(name, data)
		runtime.ReadMemStats(&after)
		if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 100 {
			t.Errorf("%s took %d MiB", name, mib)
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("%s took %v", name, d)
		}
		if err != nil {
			continue
		}
		for i, want := range []string{"8", "4"} { // an own key wins over a merged one
			if got := n.Get("nodes").Items[i].Get("count").Text; got != want {
				t.Errorf("%s: n%d has %s, want %s", name, i, got, want)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"name: a\n", "a: &a [*a]", "{<<: {a: b}}", "- - - 1", "a: !!binary x", "? [a]: b", "name: |\n  x\n", "%YAML 1.1\n---\na: b"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Parse("f", data)
		if err != nil {
			return
		}
		var o outer
		_ = Decode(n, &o)
	})
}
