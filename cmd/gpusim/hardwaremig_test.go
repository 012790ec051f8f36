package main

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// partition checks a partition file of the field case on two A100 of 40 GB.
func partition(t *testing.T, name string, more ...string) (any, result) {
	t.Helper()
	dir := field(t, "09-mig-configs")
	files, err := filepath.Glob(filepath.Join(dir, name+"-*.yaml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %v %v", name, files, err)
	}
	args := append([]string{"hardware", "mig", "A100-SXM4-40GB", "--gpus", "2", "--config", files[0]}, more...)
	table := gpusim(t, args...)
	r := gpusim(t, append(args, "--output", "json")...)
	var doc any
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil {
		t.Fatalf("%v in %q", err, r.out)
	}
	if valid := at(t, doc, "valid") == true; valid != (r.code == 0) || r.code != table.code || !valid && (r.code != exitUsage || table.out != "") {
		t.Errorf("%s: exit codes %d and %d, %s", name, r.code, table.code, r.out)
	}
	return doc, table
}

func TestFieldPartitionFilesThatFit(t *testing.T) {
	instances := func(doc any) int {
		n := 0
		for _, d := range at(t, doc, "devices").([]any) {
			n += len(at(t, d, "instances").([]any))
		}
		return n
	}
	for name, want := range map[string]struct {
		instances int
		starts    []int
		resources map[string]int
	}{
		"a": {7, []int{0, 1, 2, 3, 4, 5, 6}, map[string]int{"nvidia.com/gpu": 1, "nvidia.com/mig-1g.5gb": 7}},
		"c": {4, []int{0, 4}, map[string]int{"nvidia.com/mig-3g.20gb": 2, "nvidia.com/mig-4g.20gb": 2}},
		"e": {8, []int{0, 2, 4, 6}, map[string]int{"nvidia.com/mig-1g.5gb": 2, "nvidia.com/mig-2g.10gb": 6}},
		"h": {8, []int{0, 2, 4, 6}, map[string]int{"nvidia.com/mig-1g.10gb": 8}},
	} {
		doc, table := partition(t, name)
		same(t, name+" instances", instances(doc), want.instances)
		same(t, name+" resources", at(t, doc, "resources"), want.resources)
		same(t, name+" listed", strings.Count(table.out, "  MIG "), want.instances)
		var starts []any
		for _, in := range at(t, doc, "devices", 1, "instances").([]any) {
			starts = append(starts, at(t, in, "start"))
		}
		same(t, name+" starts", starts, want.starts)
	}
	doc, _ := partition(t, "a")
	same(t, "untouched", at(t, doc, "devices", 0), map[string]any{"index": 0, "mig": false, "instances": []int{}})
	doc, _ = partition(t, "c")
	same(t, "4g and 3g", at(t, doc, "devices", 0, "instances"), []map[string]any{
		{"id": 1, "profile": "4g.20gb", "start": 0, "size": 4}, {"id": 2, "profile": "3g.20gb", "start": 4, "size": 4}})
	doc, table := partition(t, "j", "--select", "on-but-empty")
	same(t, "nothing", []any{instances(doc), at(t, doc, "devices", 1, "mig"), at(t, doc, "resources")}, []any{0, true, map[string]int{}})
	table.says(t, table.out, "offers nothing")
	doc, _ = partition(t, "j", "--select", "off")
	same(t, "whole", at(t, doc, "resources"), map[string]int{"nvidia.com/gpu": 2})
	doc, _ = partition(t, "h", "--naming", "single")
	same(t, "single", at(t, doc, "resources"), map[string]int{"nvidia.com/gpu": 8})
}

func TestFieldPartitionFilesThatDoNotFit(t *testing.T) {
	for name, want := range map[string][]string{
		"b": {"b-scalar-device.yaml:4:14", "mig-configs.bad[0].devices", "must be all or a list"},
		"d": {"9 memory slices", "compute slices: 7 of 7"},
		"f": {"at most 7"},
		"g": {"2g.20gb", "2g.10gb", "A100-80GB"},
		"i": {"at most 1"},
		"j": {"off, on-but-empty"},
		"k": {"k-overlap.yaml:6:15", "device 1 is named twice", "no device 5", "2 GPUs, 0 to 1"},
		"l": {"cannot be negative", "9z.5gb", "it has 1g.5gb"},
	} {
		doc, table := partition(t, name)
		table.refused(t, want...)
		for _, e := range at(t, doc, "errors").([]any) {
			if f := at(t, e, "field").(string); !strings.HasPrefix(f, "mig-configs") || at(t, e, "message") == "" {
				t.Errorf("%s: %v", name, e)
			}
		}
	}
	doc, _ := partition(t, "k")
	same(t, "devices", []any{at(t, doc, "errors", 0, "device"), at(t, doc, "errors", 1, "device")}, []int{1, 5})
	_, table := partition(t, "l")
	if strings.Contains(table.err, "2g.10gb\":") {
		t.Errorf("a count of 0 is harmless: %s", table.err)
	}
	_, table = partition(t, "c", "--naming", "single")
	table.refused(t, "one profile", "3g.20gb and 4g.20gb")
	_, table = partition(t, "a", "--naming", "single")
	table.refused(t, "off on 1 of 2")
	_, table = partition(t, "a", "--select", "onlysecond")
	table.refused(t, `"onlysecond"`, "the file has only-second")
}

func TestHardwareMIGTables(t *testing.T) {
	r := gpusim(t, "hardware", "mig", "NVIDIA H100 80GB HBM3").must(t)
	r.says(t, r.out, "|   0  MIG 3g.40gb        9     2/2        39.50      No     60     3     0   |", "GPU  0 Profile ID  9 Placements: {0,4}:4",
		"19 maximal sets", "there are 78", "|4g             |3g             |", "nvidia-smi mig -lgip of a host")
	doc := gpusim(t, "hardware", "mig", "A100-40GB", "--output", "json").object(t)
	same(t, "sets", []int{len(at(t, doc, "maximal").([]any)), len(at(t, doc, "maximal_with_wide").([]any)), len(at(t, doc, "profiles").([]any))}, []int{19, 78, 7})
	doc = gpusim(t, "hardware", "mig", "B200-SXM-180GB", "--output", "json").object(t)
	same(t, "7g of a B200", []any{at(t, doc, "profiles", 6, "sm_count"), at(t, doc, "profiles", 6, "ce")}, []any{nil, 16})
	rows, err := csv.NewReader(strings.NewReader(gpusim(t, "hardware", "mig", "A30", "--output", "csv").must(t).out)).ReadAll()
	if err != nil || len(rows) != 6 || rows[3][14] != "0 2" {
		t.Errorf("%v %v", rows, err)
	}
	r = gpusim(t, "hardware", "mig", "A100-SXM4-40GB", "--compute", "3g.20gb").must(t)
	r.says(t, r.out, "MIG 2c.3g.20gb       1      1/1           28 ")
	gpusim(t, "hardware", "mig", "T4").refused(t, "cannot be cut", "A30")
	gpusim(t, "hardware", "mig", "A30", "--naming", "single").refused(t, "--config")
	gpusim(t, "hardware", "mig", "A30", "--config", "none.yaml").refused(t, "none.yaml")
	gpusim(t, "hardware", "mig", "A30", "--gpus", "0").refused(t, "--gpus 0")
	gpusim(t, "hardware", "mig", "A30", "--output", "xml").refused(t, "--output")
}

// TestPartitionFileForSeveralCards has an entry for each kind of card, as the
// files that come with mig-parted do.
func TestPartitionFileForSeveralCards(t *testing.T) {
	path := file(t, "parts.yaml", `version: v1
mig-configs:
  all-balanced:
  - device-filter: ["0x20B010DE", "0x20B110DE"]
    devices: all
    mig-enabled: true
    mig-devices: {"1g.5gb": 2, "2g.10gb": 1, "3g.20gb": 1}
  - device-filter: "0x20b710de"
    devices: all
    mig-enabled: true
    mig-devices: {"1g.6gb": 2, "2g.12gb": 1}
`)
	for gpu, want := range map[string]map[string]int{
		"A100-SXM4-40GB":  {"nvidia.com/mig-1g.5gb": 16, "nvidia.com/mig-2g.10gb": 8, "nvidia.com/mig-3g.20gb": 8},
		"A30":             {"nvidia.com/mig-1g.6gb": 16, "nvidia.com/mig-2g.12gb": 8},
		"H200-SXM5-141GB": {"nvidia.com/gpu": 8},
	} {
		doc := gpusim(t, "hardware", "mig", gpu, "--config", path, "--output", "json").object(t)
		same(t, gpu, at(t, doc, "resources"), want)
	}
}
