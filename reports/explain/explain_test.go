package explain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gpusim/sim/cluster"
)

// codes finds every reason code in the source of the policies: the string
// constants whose name begins with Why.
func codes(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(filepath.Join("..", "..", "policies"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			for i, name := range v.Names {
				if !strings.HasPrefix(name.Name, "Why") || i >= len(v.Values) {
					continue
				}
				if lit, ok := v.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if code, err := strconv.Unquote(lit.Value); err == nil {
						found[name.Name] = code
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestEveryReasonCodeHasASentence(t *testing.T) {
	all := codes(t)
	if len(all) < 10 {
		t.Fatalf("found only %d reason codes: %v", len(all), all)
	}
	wants, has := int64(8), int64(6)
	for name, code := range all {
		if _, ok := find(waiting(), code); !ok {
			t.Errorf("%s (%s) has no sentence", name, code)
			continue
		}
		s := waitSentence(&Reason{Code: code, Wanted: &wants, First: &has, Last: &has})
		if strings.ContainsAny(s, "{}") || !strings.HasSuffix(s, "("+code+")") {
			t.Errorf("%s reads %q", name, s)
		}
	}
	for _, s := range waiting() {
		known := false
		for _, code := range all {
			known = known || code == s.code
		}
		if !known {
			t.Errorf("there is a sentence for %q, which no policy uses", s.code)
		}
	}
}

func TestEveryStopHasASentence(t *testing.T) {
	for r := cluster.ReasonCompleted; r <= cluster.ReasonInterrupted; r++ {
		if _, ok := find(stops(), r.String()); !ok {
			t.Errorf("%v has no sentence", r)
		}
	}
}

func TestSentencesCount(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	for _, c := range []struct {
		r    Reason
		want string
	}{
		{Reason{Code: "no-free-gpus", Wanted: n(8), First: n(6), Last: n(6)}, "wants 8 GPUs, 6 were free (no-free-gpus)"},
		{Reason{Code: "no-free-gpus", Wanted: n(1), First: n(1), Last: n(0)}, "wants 1 GPU, 1 and at last 0 were free (no-free-gpus)"},
		{Reason{Code: "outranked"}, "jobs of higher rank have its GPUs (outranked)"},
		{Reason{Code: "moon-phase", Wanted: n(2), First: n(1), Last: n(1)}, "wants 2 GPUs, 1 was free (moon-phase: this gpusim has no words for it)"},
		{Reason{}, "no reason is on record"},
	} {
		if got := waitSentence(&c.r); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestReasonsAreCutToTheWait(t *testing.T) {
	w := Wait{From: 10, To: 100, Reasons: []Reason{{Code: "b", From: 50, To: 80}, {Code: "a", From: 20, To: 50}}}
	w.complete()
	var got []string
	for _, r := range w.Reasons {
		got = append(got, r.Code+":"+strconv.Itoa(int(r.From))+"-"+strconv.Itoa(int(r.To)))
	}
	if s := strings.Join(got, " "); s != ":10-20 a:20-50 b:50-80 :80-100" {
		t.Errorf("got %s", s)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		word, id string
		near     bool
	}{{"sweep", "sweep_3", true}, {"eval-1", "eval-2", true}, {"job1", "job10", true}, {"a", "llm-pretrain", false}, {"sweep", "sweep_x3", false}, {"alpha", "omega", false}} {
		if got := distance(c.word, c.id) >= 0; got != c.near {
			t.Errorf("%s and %s: near is %v", c.word, c.id, got)
		}
	}
}
