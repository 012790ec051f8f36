package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpusim/scenarios"
)

// result is what a command left behind.
type result struct {
	code     int
	out, err string
}

// gpusim runs the program in this process.
func gpusim(t testing.TB, args ...string) result {
	t.Helper()
	return gpusimWith(t, "", args...)
}

func gpusimWith(t testing.TB, stdin string, args ...string) result {
	t.Helper()
	var out, err bytes.Buffer
	code := run(args, streams{strings.NewReader(stdin), &out, &err})
	return result{code, out.String(), err.String()}
}

// must fails the test unless the command went well.
func (r result) must(t testing.TB) result {
	t.Helper()
	if r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	return r
}

// refused fails the test unless the command ended with code 2, nothing on
// standard output, and all these words in its message.
func (r result) refused(t testing.TB, words ...string) {
	t.Helper()
	if r.code != exitUsage || r.out != "" {
		t.Errorf("exit code %d, output %q; want code 2 and none", r.code, r.out)
	}
	r.says(t, r.err, words...)
}

// says looks for words in a text.
func (r result) says(t testing.TB, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in:\n%s", w, text)
		}
	}
}

// object reads the output as one JSON object.
func (r result) object(t testing.TB) map[string]any {
	t.Helper()
	r.must(t)
	var m map[string]any
	if err := json.Unmarshal([]byte(r.out), &m); err != nil {
		t.Fatalf("%v in:\n%s", err, r.out)
	}
	return m
}

// at walks a path of keys and indices into a document.
func at(t testing.TB, v any, path ...any) any {
	t.Helper()
	for i, p := range path {
		switch p := p.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				t.Fatalf("%v is no object", path[:i])
			}
			if v, ok = m[p]; !ok {
				t.Fatalf("there is no %v", path[:i+1])
			}
		case int:
			l, ok := v.([]any)
			if !ok || p >= len(l) {
				t.Fatalf("there is no %v", path[:i+1])
			}
			v = l[p]
		}
	}
	return v
}

func keys(v any) []string {
	var ks []string
	for k := range v.(map[string]any) {
		ks = append(ks, k)
	}
	slices.Sort(ks)
	return ks
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if g, w := text(got), text(want); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// file writes a file of a test.
func file(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// field is the path of a field case beside the repository. Without that folder
// the test is left out, but not where CI says that it must be there.
func field(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "shared", "data", "field"}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("CI must have the shared data: %v", err)
		}
		t.Skipf("skipped: the shared data are not there: %v", err)
	}
	return path
}

func TestHelpOfEveryCommandHasAnExample(t *testing.T) {
	for _, args := range [][]string{{"hardware"}, {"hardware", "list"}, {"hardware", "show"}, {"trace"}, {"trace", "inspect"}, {"schema"}} {
		r := gpusim(t, append(args, "--help")...).must(t)
		r.says(t, r.out, "Examples:", "gpusim "+args[0])
	}
}

func TestEmptyNameOfAFolderIsRefused(t *testing.T) {
	gpusim(t, "run", "quickstart", "-o", "").refused(t, "needs the name of a folder")
}

// full is a writer without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	for _, args := range [][]string{{"run", "quickstart"}, {"run", "quickstart", "--output", "json"}, {"version"}, {"hardware", "list"}} {
		var err bytes.Buffer
		if code := run(args, streams{strings.NewReader(""), full{}, &err}); code != exitFailed || !strings.Contains(err.String(), "no room") {
			t.Errorf("%v: code %d, %s", args, code, err.String())
		}
	}
}

func TestAllWrongSettingsAreTold(t *testing.T) {
	gpusim(t, "run", "quickstart", "--set", "a..b=1", "--set", "seed=[").refused(t, "--set a..b", "--set seed")
}

func TestNothingToCheckIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	text := "apiVersion: gpusim/v1\nkind: Scenario\nname: t\ncluster: {nodes: [{name: n, gpus: 1}]}\nworkload: {jobs: [{id: a, duration: 1s, gpus: 1}]}\nexpect: {jobs: {a: {}}}\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r := gpusim(t, "check", file)
	if r.code != exitUsage {
		t.Errorf("code %d", r.code)
	}
	r.says(t, r.err, "nothing to check")
}

func TestDamagedBytesInAMessageAreWrittenOut(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.csv")
	if err := os.WriteFile(file, []byte("a\x1b[2J\xff,b\n1,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := gpusim(t, "trace", "inspect", file, "--format", "native")
	r.refused(t, `\u001b[2J`)
	if strings.Contains(r.err, "\x1b") {
		t.Errorf("%q", r.err)
	}
}

// Without a name validate reads every built-in scenario.
func TestValidateAll(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"validate"}, streams{strings.NewReader(""), &out, &errs}); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	if n := strings.Count(out.String(), ": valid ("); n != len(scenarios.BuiltinNames()) {
		t.Errorf("%d of %d scenarios are said to be valid", n, len(scenarios.BuiltinNames()))
	}
}
