package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"gpusim/reports/folder"
	"gpusim/reports/summary"
	"gpusim/workloads/document"
)

// figuresOf is a summary as Lookup searches it.
func figuresOf(s *summary.Summary) (map[string]any, error) {
	b, err := folder.MarshalJSON(s)
	if err != nil {
		return nil, fmt.Errorf("reading the summary: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("reading the summary: %w", err)
	}
	return m, nil
}

// figure is a number of a summary, nil where it has no basis.
func figure(m map[string]any, path string) *float64 {
	v, _ := Lookup(m, path)
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	f, err := n.Float64()
	if err != nil {
		return nil
	}
	return &f
}

// checkFigure refuses a path that no summary has as a number.
func checkFigure(path string) error {
	var known []string
	groups := map[string]bool{}
	numbers(reflect.TypeFor[summary.Summary](), "", &known, groups)
	for _, k := range known {
		if k == path {
			return nil
		}
	}
	if root, _, inside := strings.Cut(path, "["); inside && groups[root] {
		return nil // an item of a list
	}
	if groups[path] {
		return fmt.Errorf("%s: it is a group of figures; name one of them", path)
	}
	return fmt.Errorf("%s: %s", path, document.Unknown("figure of summary.json", path, path, known))
}

// numbers lists the paths of numbers in a struct that is written as JSON, and
// notes the groups and lists on the way.
func numbers(t reflect.Type, prefix string, known *[]string, groups map[string]bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		path, ft := prefix+name, f.Type
		if ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		switch k := ft.Kind(); {
		case ft == reflect.TypeFor[json.Number](), reflect.Int <= k && k <= reflect.Float64:
			*known = append(*known, path)
		case k == reflect.Struct:
			groups[path] = true
			numbers(ft, path+".", known, groups)
		case k == reflect.Slice:
			groups[path] = true
		}
	}
}
