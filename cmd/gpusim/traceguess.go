package main

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// guessFormat says what a trace looks like by its name and first bytes, "" if
// nothing speaks for a format.
func guessFormat(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if found, _ := filepath.Glob(filepath.Join(path, "cluster_job_log*")); len(found) > 0 {
			return "philly"
		}
		return ""
	}
	head := firstBytes(path)
	line, _, _ := strings.Cut(strings.TrimPrefix(head, "\ufeff"), "\n")
	columns := map[string]bool{}
	for _, c := range strings.Split(strings.TrimSpace(line), ",") {
		columns[strings.Trim(strings.TrimSpace(c), `"`)] = true
	}
	name := strings.ToLower(filepath.Base(path))
	switch {
	case strings.HasPrefix(head, ";"), strings.Contains(name, ".swf"):
		return "swf"
	case strings.HasPrefix(head, "["), strings.HasPrefix(head, "{"):
		return "philly"
	case columns["job_id"] && columns["submit_s"] && columns["run_s"] && columns["gpus"]:
		return "native"
	case columns["num_gpu"] && columns["gpu_milli"]:
		return "openb"
	case columns["sn"] && columns["cpu_milli"]:
		return "openb-nodes"
	case len(columns) > 2:
		return "csv"
	}
	return ""
}

// firstBytes is the beginning of a file, unpacked where it is gzip; "" if it
// cannot be read.
func firstBytes(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	b := bufio.NewReader(f)
	var r io.Reader = b
	if magic, _ := b.Peek(2); string(magic) == "\x1f\x8b" {
		if r, err = gzip.NewReader(b); err != nil {
			return ""
		}
	}
	head, _ := io.ReadAll(io.LimitReader(r, 4096))
	return string(head)
}
