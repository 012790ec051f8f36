package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTraceConvertThereAndBack(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("a.csv"), []byte("job_id,submit_s,run_s,gpus,user\n1,0,100,4,u\n2,10,50.5,2,v\n3,20,,1,w\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	call := func(want int, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := run(args, streams{strings.NewReader(""), &out, &errs}); code != want {
			t.Fatalf("%v: exit %d, want %d: %s", args, code, want, errs.String())
		}
		return errs.String()
	}
	if msg := call(0, "trace", "convert", at("a.csv"), "--format", "native", "--to", "swf", "-o", at("b.swf")); !strings.Contains(msg, "1 skipped: never-started") {
		t.Errorf("what is set aside is not counted: %q", msg)
	}
	call(0, "trace", "convert", at("b.swf"), "--format", "swf", "--to", "native", "-o", at("c.csv"))
	b, err := os.ReadFile(at("c.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if len(lines) != 3 || !strings.Contains(string(b), "50.5") {
		t.Errorf("%s", b)
	}
	if msg := call(2, "trace", "convert", at("b.swf"), "--format", "swf", "-o", at("c.csv")); !strings.Contains(msg, "--force") {
		t.Errorf("%s", msg)
	}
	call(2, "trace", "convert", at("b.swf"), "--format", "swf", "--to", "philly", "-o", at("d"))
	call(2, "trace", "convert", at("none.swf"), "--format", "swf", "-o", at("d"))
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 3 {
		t.Errorf("%d files are left, want 3", len(left))
	}
}
