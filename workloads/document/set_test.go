package document

import (
	"errors"
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	const before = "name: a\norder: fifo\nnodes: [{gpus: 1}, {gpus: 2}]\nlist: [[1, 2], [3]]\nsum: {wait.mean: 1}\n"
	for _, c := range []struct{ path, value, want string }{
		{"nodes[1].gpus", "4", "nodes:\n  - gpus: 1\n  - gpus: 4\n"},
		{"labels.x.y", "z", "labels:\n  x:\n    y: z\n"},
		{"order", "sjf", "order: sjf\n"},
		{"order.queues", "[1, 2]", "order:\n  name: fifo\n  queues: [1, 2]\n"},
		{"order.queues", "", "queues: \"\"\n"},
		{"list[0][1]", "{a: b}", "list:\n  - - 1\n    - a: b\n  - [3]\n"},
		{`sum."wait.mean"`, "2", "sum:\n  wait.mean: 2\n"},
		{"order", "null", "order: null\n"},
		{"nodes", "[]", "nodes: []\n"},
	} {
		n, err := Parse("f.yaml", []byte(before))
		if err != nil {
			t.Fatal(err)
		}
		if err := n.Set(c.path, c.value); err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if got := write(t, n); !strings.Contains(got, c.want) {
			t.Errorf("%s=%s gives\n%s", c.path, c.value, got)
		}
	}
}

// write shows a tree, through Marshal.
func write(t *testing.T, n *Node) string {
	t.Helper()
	var plain func(n *Node) any
	plain = func(n *Node) any {
		switch n.Kind {
		case Null:
			return nil
		case List:
			l := []any{}
			for _, x := range n.Items {
				l = append(l, plain(x))
			}
			return l
		case Map:
			m := map[string]any{}
			for i, k := range n.Keys {
				m[k.Text] = plain(n.Items[i])
			}
			return m
		}
		return Plain{n.Text, n.Quoted}
	}
	out, err := Marshal(plain(n))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestSetErrorsNameTheSetting(t *testing.T) {
	for _, c := range []struct{ path, value, want string }{
		{"nodes[3].gpus", "4", "--set nodes[3].gpus: nodes has no item 3; it has 1, counted from 0"},
		{"nodes.x", "4", "--set nodes.x: nodes is a list, not a mapping"},
		{"name[0]", "4", "--set name[0]: name is a single value, not a list"},
		{"name", "[1", "--set name: the value \"[1\": not valid YAML"},
		{"", "4", "is not a path"}, {".a", "4", "is not a path"}, {"a.", "4", "is not a path"}, {"a..b", "4", "is not a path"},
		{"a[", "4", "is not a path"}, {"a[x]", "4", "is not a path"}, {"a[-1]", "4", "is not a path"}, {"a[0]b", "4", "is not a path"}, {`a."b`, "4", "is not a path"}, {"a]", "4", "is not a path"}, {"[0]", "4", "is not a path"},
	} {
		n, err := Parse("f.yaml", []byte("name: a\nnodes: [{gpus: 1}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		err = n.Set(c.path, c.value)
		var es Errors
		if !errors.As(err, &es) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q=%q: %v, want %q", c.path, c.value, err, c.want)
		}
	}
	// What is wrong with the value shows when it is decoded, under the same name.
	n, _ := Parse("f.yaml", []byte("name: a\nnodes: [{gpus: 1}]\n"))
	if err := n.Set("nodes[0].gpus", "many"); err != nil {
		t.Fatal(err)
	}
	err := Decode(n, &outer{})
	if want := `--set nodes[0].gpus: nodes[0].gpus must be a whole number, not "many"`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
