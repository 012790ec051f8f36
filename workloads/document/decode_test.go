package document

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

type scalars struct {
	At
	Text  string   `yaml:"text"`
	Int8  int8     `yaml:"int8"`
	Int   int      `yaml:"int"`
	Uint  uint16   `yaml:"uint"`
	Float float64  `yaml:"float"`
	Bool  bool     `yaml:"bool"`
	Modes []string `yaml:"modes" enum:"fast,slow"`
	Hide  string   // no tag: not a key
}

func TestScalars(t *testing.T) {
	for text, want := range map[string]any{
		"text: 007": "007", "text: 1e3": "1e3", "text: yes": "yes", "text: N": "N", "text: true": "true", "text: '1'": "1", "text: 2026-01-01": "2026-01-01", "text: 1:30": "1:30", "text: |\n  a\n": "a\n", `text: "~"`: "~",
		"int: -5": -5, "int: +5": 5, "int8: -128": int8(-128), "uint: 65535": uint16(65535), "float: 1e3": 1000.0, "float: .5": 0.5, "float: 2": 2.0, "bool: true": true, "bool: False": false, "modes: [slow, fast]": []string{"slow", "fast"},
	} {
		got, err := readScalars(text)
		key, _, _ := strings.Cut(text, ":")
		v := reflect.ValueOf(got).FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, key) })
		if err != nil || !reflect.DeepEqual(v.Interface(), want) {
			t.Errorf("%q: %v %v, want %v", text, v, err, want)
		}
	}
	for text, want := range map[string]string{
		"int: 1.0":                  "int must be a whole number (digits only), not 1.0",
		"int: 0x10":                 "int must be a whole number, not \"0x10\"",
		"int: 1_000":                "int must be a whole number (digits only), not 1_000",
		"int8: 128":                 "int8 must be a whole number from -128 to 127, not 128",
		"uint: -1":                  "uint must be a whole number from 0 to 65535, not -1",
		"int: 99999999999999999999": "int must be a whole number from -9223372036854775808 to 9223372036854775807, not",
		"int: NaN":                  "int must be a whole number, not \"NaN\"",
		"float: .inf":               "float must be a number, not \".inf\"",
		"float: NaN":                "float must be a number",
		"float: 0x1p4":              "float must be a number",
		"bool: yes":                 "bool must be true or false, not \"yes\"",
		`bool: "true"`:              "bool must be true or false",
		"text: [a]":                 "text must be a text, not a list",
		"text: {a: b}":              "text must be a text, not a mapping",
		"text:":                     "text has no value; give one or leave the key out",
		"modes: [fast, on]":         `f.yaml:1:15: unknown value "modes: on" (known: fast, slow)`,
		"modes: fast":               "modes must be a list, not a single value",
		"Hide: a":                   "unknown key",
		"at: a":                     "unknown key",
	} {
		if _, err := readScalars(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func readScalars(text string) (scalars, error) {
	var s scalars
	n, err := Parse("f.yaml", []byte(text))
	if err == nil {
		err = Decode(n, &s)
	}
	return s, err
}

func TestRequiredKeysNeedAValue(t *testing.T) {
	type must struct {
		Text    string `yaml:"text" required:"true"`
		Pointer *int   `yaml:"pointer" required:"true"`
		Free    *int   `yaml:"free"`
	}
	for text, want := range map[string]string{
		"{text: a, pointer: 0}":          "",
		"{text: a, pointer: 0, free: ~}": "",
		"{text: a, pointer: ~}":          "f.yaml:1:1: pointer is missing",
		"{text: ~, pointer: 0}":          "f.yaml:1:8: text has no value; give one",
		"{}":                             "f.yaml:1:1: text is missing\nf.yaml:1:1: pointer is missing",
	} {
		n, err := Parse("f.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := Decode(n, &must{}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestAtKnowsItsNode(t *testing.T) {
	s, err := readScalars("# a comment\ntext: a\nint: 5\n")
	if err != nil || s.Node == nil {
		t.Fatal(err)
	}
	if got := s.Node.At("int").Errorf("is %d", 5).Error(); got != "f.yaml:3:6: is 5" {
		t.Error(got)
	}
	if got := s.Node.At("none"); got != s.Node {
		t.Error("a key that is not there points at its mapping")
	}
}

// union fails in each way a Decoder can.
type union struct{}

func (*union) DecodeNode(n *Node) error {
	switch n.Text {
	case "plain":
		return errors.New("is no good")
	case "error":
		return n.Errorf("is no good")
	case "wrapped":
		return fmt.Errorf("reading it: %w", Errors{n.Errorf("one"), n.Errorf("two")})
	}
	return DecodeInto(n, &scalars{})
}

func TestErrorsOfUnions(t *testing.T) {
	var dst struct {
		Sub struct {
			Union []union `yaml:"union"`
		} `yaml:"sub"`
	}
	n, err := Parse("f.yaml", []byte("sub:\n  union: [plain, error, wrapped, {int: x}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	var es Errors
	if !errors.As(Decode(n, &dst), &es) {
		t.Fatal("no errors")
	}
	want := Errors{
		{"f.yaml", 2, 11, "sub.union[0]", "sub.union[0]: is no good"},
		{"f.yaml", 2, 18, "sub.union[1]", "sub.union[1]: is no good"},
		{"f.yaml", 2, 25, "sub.union[2]", "sub.union[2]: one"},
		{"f.yaml", 2, 25, "sub.union[2]", "sub.union[2]: two"},
		{"f.yaml", 2, 40, "sub.union[3].int", `int must be a whole number, not "x"`},
	}
	if !reflect.DeepEqual(es, want) {
		t.Errorf("%#v", es)
	}
}

// Anchors may be used often where the document is large, and then only.
func TestLimitOfAliases(t *testing.T) {
	doc := func(own, aliases int) string {
		return "x-a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\nown: [" + strings.Repeat("1,", own) + "]\nuses: [" + strings.Repeat("*a,", aliases) + "]\n"
	}
	for _, c := range []struct {
		own, aliases int
		ok           bool
	}{{0, 9_000, true}, {0, 11_000, false}, {120_000, 13_000, true}, {120_000, 15_000, false}} {
		if _, err := Parse("f", []byte(doc(c.own, c.aliases))); (err == nil) != c.ok {
			t.Errorf("%d values of its own, %d aliases: %v", c.own, c.aliases, err)
		}
	}
}

func BenchmarkParseAndDecode(b *testing.B) {
	var text strings.Builder
	text.WriteString("name: a\nnodes:\n")
	for i := range 10_000 {
		fmt.Fprintf(&text, "  - {gpus: %d, limit: %ds}\n", i%9, i)
	}
	data := []byte(text.String())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		n, err := Parse("f", data)
		if err != nil {
			b.Fatal(err)
		}
		var o outer
		if err := Decode(n, &o); err != nil {
			b.Fatal(err)
		}
	}
}
