package migconfig

import (
	"strings"
	"testing"
)

func TestReadRefuses(t *testing.T) {
	const head = "version: v1\nmig-configs:\n  a:\n  - "
	for text, words := range map[string]string{
		head + "devices: 1\n    mig-enabled: true\n":                                             "f.yaml:4:14: mig-configs.a[0].devices: must be all or a list of indices such as [1], not 1",
		head + "devices: some\n    mig-enabled: true\n":                                          "[0, 1], not some",
		head + "devices: [-1]\n    mig-enabled: true\n":                                          "from 0",
		head + "devices: [a]\n    mig-enabled: true\n":                                           `not "a"`,
		head + "devices: all\n":                                                                  "mig-enabled is missing",
		head + "mig-enabled: true\n":                                                             "devices is missing",
		head + "devices: all\n    mig-enabled: true\n    mig-device: {}\n":                       "did you mean mig-devices?",
		head + "devices: all\n    mig-enabled: true\n    mig-devices: [1g.5gb]\n":                "mapping of profiles",
		head + "devices: all\n    mig-enabled: true\n    mig-devices: {1g.5gb: x, 2g.10gb: 1.5}": "the number of 1g.5gb must be a whole number",
		head + "devices: all\n    mig-enabled: true\n    device-filter: A100\n":                  "device and vendor number",
		"version: v2\nmig-configs: {}\n":                                                         "v1",
		"mig-configs: {}\n":                                                                      "version is missing",
		"version: v1\n":                                                                          "mig-configs is missing",
		"version: v1\nmig-configs: {a: {}}\n":                                                    "mig-configs.a",
		"- 1\n":                                                                                  "f.yaml:1",
	} {
		if _, err := Read("f.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v, want %q", text, err, words)
		}
	}
}

func TestSelect(t *testing.T) {
	f, err := Read("f.yaml", []byte("version: v1\nmig-configs:\n  b: []\n  a:\n  - devices: all\n    device-filter: [\"0x20b010de\"]\n    mig-enabled: true\n    mig-devices: {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Select(""); err == nil || !strings.Contains(err.Error(), "select one: a, b") {
		t.Error(err)
	}
	e, err := f.Select("a")
	if err != nil || len(e) != 1 || !e[0].All || e[0].Filters[0] != "0x20B010DE" || e[0].Field != "mig-configs.a[0]" {
		t.Errorf("%+v, %v", e, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("version: v1\nmig-configs:\n  a:\n  - devices: [0]\n    mig-enabled: true\n    mig-devices: {1g.5gb: 1}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read("f.yaml", data)
		if err != nil {
			return
		}
		for _, n := range file.Names() {
			if _, err := file.Select(n); err != nil && n != "" {
				t.Errorf("%q: %v", n, err)
			}
		}
	})
}
