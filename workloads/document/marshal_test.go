package document

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gpusim/hardware/units"
)

// everything has a field of each kind that a document can hold.
type everything struct {
	Text    string                 `yaml:"text"`
	Must    string                 `yaml:"must" required:"true"`
	Int     int64                  `yaml:"int"`
	Small   *int8                  `yaml:"small"`
	Wide    uint64                 `yaml:"wide,omitempty"`
	Float   float64                `yaml:"float"`
	Bool    *bool                  `yaml:"bool"`
	Words   []string               `yaml:"words"`
	Numbers []float64              `yaml:"numbers,omitempty"`
	Table   map[string]*everything `yaml:"table"`
	List    []everything           `yaml:"list"`
	Time    units.Duration         `yaml:"time"`
	Memory  *units.Bytes           `yaml:"memory"`
	Cores   map[string]units.Cores `yaml:"cores"`
	Either  *either                `yaml:"either"`
	embedded
}

type embedded struct {
	Inner *int `yaml:"inner"`
}

// either is a word or a mapping.
type either struct {
	word string
	n    int
}

func (e *either) DecodeNode(n *Node) error {
	if n.Kind == Scalar {
		e.word = n.Text
		return nil
	}
	var m struct {
		N int `yaml:"n" required:"true"`
	}
	err := DecodeInto(n, &m)
	e.n = m.N
	return err
}

func (e either) EncodeNode() any {
	if e.word != "" {
		return e.word
	}
	return Pairs{{Key: "n", Value: e.n}}
}

// nasty are texts that YAML takes for something else, or spoils.
var nasty = []string{"", " ", "a", "1", "1.0", "0x1F", "1e3", "true", "yes", "N", "null", "~", "<<", "- a", "a: b", "a #b", "#", "'", `"`, `\`, "[", "{}", "*a", "&a", "!x", "%a", "@", "`",
	"2026-01-01", "12:30", "\n", "a\n", "\na", "a\nb\n\n", " a", "a ", "\t", "a\tb", "é", "日本", "\u0085", "\u2028", "\ufeff", "\x01", "\U0001F600", "---", "...", "?", ": ", ",", "|", ">", "=", "0o7", "1_000", ".inf", "+1", "x-y"}

func random(r *rand.Rand, depth int) everything {
	pick := func() string { return nasty[r.IntN(len(nasty))] }
	v := everything{Text: pick(), Must: pick(), Int: int64(r.Uint64()) >> r.IntN(64), Wide: r.Uint64() >> r.IntN(64), Float: math.Float64frombits(r.Uint64()), Time: units.Duration(r.Int64N(1<<61) >> r.IntN(61))}
	if math.IsNaN(v.Float) || math.IsInf(v.Float, 0) {
		v.Float = 0
	}
	if r.IntN(2) == 0 {
		small, yes, memory, inner := int8(r.IntN(256)-128), r.IntN(2) == 0, units.Bytes(r.Int64()>>r.IntN(63)), r.IntN(3)
		v.Small, v.Bool, v.Memory, v.Inner = &small, &yes, &memory, &inner
		v.Words, v.Table, v.List, v.Cores = []string{}, map[string]*everything{}, []everything{}, map[string]units.Cores{}
	}
	if r.IntN(2) == 0 {
		v.Either = &either{word: pick()}
		if v.Either.word == "" || r.IntN(2) == 0 {
			v.Either = &either{n: r.IntN(5)}
		}
	}
	for v.Words != nil && r.IntN(3) > 0 {
		v.Words = append(v.Words, pick())
		v.Numbers = append(v.Numbers, float64(r.IntN(1000))/8)
		v.Cores[pick()] = units.Cores(r.IntN(10000))
		if depth > 0 {
			inner := random(r, depth-1)
			v.Table[pick()] = &inner
			v.List = append(v.List, random(r, depth-1))
		}
	}
	return v
}

func TestMarshalledValuesReadBackTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 400 {
		want := random(r, 2)
		out, err := Marshal(&want)
		if err != nil {
			t.Fatal(err)
		}
		n, err := Parse("f.yaml", out)
		if err != nil {
			t.Fatalf("%d: %v in\n%s", i, err, out)
		}
		var got everything
		if err := DecodeInto(n, &got); err != nil {
			t.Fatalf("%d: %v in\n%s", i, err, out)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%d: differs after\n%s\n%#v\n%#v", i, out, got, want)
		}
		again, err := Marshal(got)
		if err != nil || string(again) != string(out) {
			t.Fatalf("%d: written differently the second time (%v)", i, err)
		}
	}
}

func TestMarshalText(t *testing.T) {
	no, zero := false, 0
	v := struct {
		Name  string            `yaml:"name"`
		Gone  string            `yaml:"gone"`
		Seed  *int              `yaml:"seed"`
		On    *bool             `yaml:"on"`
		Off   bool              `yaml:"off,omitempty"`
		Cores units.Cores       `yaml:"cores"`
		Time  units.Duration    `yaml:"time"`
		Table map[string]string `yaml:"table"`
		List  []int             `yaml:"list"`
		Part  Pairs             `yaml:"part"`
		Null  map[string]any    `yaml:"null"`
	}{Name: "1", Seed: &zero, On: &no, Cores: 8500, Time: 5400e9, Table: map[string]string{"b": "yes", "a": "x y"}, List: []int{}, Part: Pairs{{"name", "tiresias"}, {"", struct {
		Queues []int `yaml:"queues"`
	}{[]int{1, 2}}}}, Null: map[string]any{"x": nil, "y": Plain{Text: "1e3"}, "z": Plain{Text: "1e3", Quoted: true}}}
	out, err := Marshal(v)
	want := `name: "1"
seed: 0
on: false
cores: 8.5
time: 1h30m
table:
  a: x y
  b: "yes"
list: []
part: {name: tiresias, queues: [1, 2]}
"null":
  x: null
  y: 1e3
  z: "1e3"
`
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := Marshal(struct {
		Name string `yaml:"name"`
	}{"\xff"}); err == nil || !strings.Contains(err.Error(), "name: the text") {
		t.Errorf("a text that is not UTF-8: %v", err)
	}
}

func FuzzTexts(f *testing.F) {
	for _, s := range nasty {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		type doc struct {
			Must  string            `yaml:"must" required:"true"`
			Table map[string]string `yaml:"table"`
		}
		want := doc{s, map[string]string{s: s}}
		out, err := Marshal(want)
		if err != nil {
			return // not UTF-8
		}
		n, err := Parse("f", out)
		var got doc
		if err == nil {
			err = DecodeInto(n, &got)
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %v\n%s", s, err, out)
		}
	})
}
