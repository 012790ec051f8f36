package document

import (
	"fmt"
	"strings"
	"testing"
)

// outline writes pieces in short: number, line, first key or error.
func outline(pieces []Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		fmt.Fprintf(&b, "%d@%d", p.Number, p.Line)
		if p.Node != nil && len(p.Node.Keys) > 0 {
			fmt.Fprintf(&b, "=%s:%d", p.Node.Keys[0].Text, p.Node.Keys[0].Line)
		}
		if p.Err != nil {
			fmt.Fprintf(&b, "!%d", p.Err.(Errors)[0].Line)
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

func TestParseAll(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "",
		"# only a comment\n":                   "",
		"a: 1\n":                               "1@1=a:1",
		"# first\n---\n---\nb: 1\n":            "1@1 2@3=b:4",
		"%YAML 1.1\n---\na: 1\n...\n---\nb: 2": "1@1=a:3 2@5=b:6",
		"a: 1\n...\nb: 2\n":                    "1@1=a:1 2@3=b:3",
		"a: 1\r\n---\r\nb: 2\r\n":              "1@1=a:1 2@2=b:3",
		"a: 1\n--- # words\nb: 2\nb: 3\n---\nc: [\n---\nd: 4\n": "1@1=a:1 2@2=b:3!4 3@5!6 4@7=d:8",
		"{\"a\": 1}\n{\"b\": 2}\n":                              "1@1=a:1 2@2=b:2",
		"{\n\"a\": {\n}\n}\n{\n\"b\": 2\n}\n":                   "1@1=a:2 2@5=b:6",
		"a: |\n  text\n  --- no mark\n---\nb: 1\n":              "1@1=a:1 2@4=b:5",
		"a: 1\n---\nb: \xff\n":                                  "1@1=a:1 2@2!3",
	} {
		pieces, err := ParseAll("f", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		got := outline(pieces)
		if got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// TestParseAllAnchors checks that many documents cannot expand more than one.
func TestParseAllAnchors(t *testing.T) {
	var one strings.Builder
	one.WriteString("---\na: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n")
	pieces, err := ParseAll("f", []byte(strings.Repeat(one.String(), 50)))
	if err != nil {
		t.Fatal(err)
	}
	if pieces[0].Err != nil || pieces[49].Err == nil || !strings.Contains(pieces[49].Err.Error(), "aliases") {
		t.Errorf("first %v, last %v", pieces[0].Err, pieces[49].Err)
	}
}

func FuzzParseAll(f *testing.F) {
	f.Add([]byte("a: 1\n---\n{b: [1, 2]}\n...\n{\"c\": 2}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		pieces, err := ParseAll("f", data)
		if err != nil {
			t.Skip()
		}
		for i, p := range pieces {
			if p.Number != i+1 || p.Line < 1 || i > 0 && p.Line < pieces[i-1].Line {
				t.Errorf("%+v", p)
			}
		}
	})
}
