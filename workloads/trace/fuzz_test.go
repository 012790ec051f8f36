package trace

import (
	"os"
	"path/filepath"
	"testing"
)

// fuzz reads whatever comes: the readers must not panic, and the second reading
// must agree with the first.
func fuzz(f *testing.F, format string) {
	var opt Options
	for _, s := range kit() {
		if s.format != format {
			continue
		}
		opt = s.opt
		text, err := os.ReadFile(s.file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add(text[:len(text)/2])
		f.Add([]byte("\x1f\x8b\x08\x00"))
	}
	f.Add([]byte("a,\"b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "trace")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		tryAll(t, format, path, opt)
	})
}

func FuzzNative(f *testing.F)     { fuzz(f, "native") }
func FuzzCSV(f *testing.F)        { fuzz(f, "csv") }
func FuzzSWF(f *testing.F)        { fuzz(f, "swf") }
func FuzzOpenb(f *testing.F)      { fuzz(f, "openb") }
func FuzzOpenbNodes(f *testing.F) { fuzz(f, "openb-nodes") }
func FuzzPhilly(f *testing.F)     { fuzz(f, "philly") }
func FuzzHelios(f *testing.F)     { fuzz(f, "helios") }
func FuzzAcme(f *testing.F)       { fuzz(f, "acme") }
func FuzzTiresias(f *testing.F)   { fuzz(f, "tiresias") }
func FuzzSacct(f *testing.F)      { fuzz(f, "sacct") }
func FuzzPai(f *testing.F)        { fuzz(f, "pai") }
func FuzzKubernetes(f *testing.F) { fuzz(f, "kubernetes") }
func FuzzJobcomp(f *testing.F)    { fuzz(f, "slurm-jobcomp") }
func FuzzSlurmConf(f *testing.F)  { fuzz(f, "slurm-conf") }
