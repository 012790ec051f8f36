package scenarios

import (
	"embed"
	"io/fs"
	"path"
	"sort"
	"strings"
)

//go:embed builtin
var builtin embed.FS

// BuiltinNames lists the built-in scenarios, sorted: quickstart, order/srtf, ...
func BuiltinNames() []string {
	var names []string
	fs.WalkDir(builtin, "builtin", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(p, ".yaml") {
			names = append(names, strings.TrimSuffix(strings.TrimPrefix(p, "builtin/"), ".yaml"))
		}
		return nil
	})
	sort.Strings(names)
	return names
}

// Builtin returns the text of a built-in scenario.
func Builtin(name string) ([]byte, bool) {
	data, err := builtin.ReadFile(path.Join("builtin", strings.TrimSuffix(name, ".yaml")+".yaml"))
	return data, err == nil
}

// BuiltinTitle is the first comment line of a built-in scenario.
func BuiltinTitle(name string) string {
	data, _ := Builtin(name)
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(strings.TrimPrefix(line, "#"))
}
