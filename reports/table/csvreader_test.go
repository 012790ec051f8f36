package table

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readText(t *testing.T, text string) (*Frame, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return Read(path)
}

func TestCSVReader(t *testing.T) {
	long := strings.Repeat("long ", 100_000) // longer than the read buffer
	for text, want := range map[string]string{
		"a,b\n":                               "[a b]",
		"a,b":                                 "[a b]",
		"a,b\n1,2\n":                          "[a b] 1|2",
		"a,b\n1,2":                            "[a b] 1|2",
		"a,b\r\n1,2\r\n":                      "[a b] 1|2",
		"\uFEFFa,b\n1,2\n":                    "[a b] 1|2",
		"a,b\n,\n":                            "[a b] -|-",
		"a,b\n\"\",\"x\"\n":                   "[a b] -|x",
		"a,\"b,c\"\n\"1\r\n2\",\"\"\"\"\n":    "[a b,c] 1\r\n2|\"",
		"a\n\"" + long + "\n" + long + "\"\n": "[a] " + long + "\n" + long,
	} {
		f, err := readText(t, text)
		if err != nil {
			t.Errorf("%.40q: %v", text, err)
			continue
		}
		got := fmt.Sprint(f.Names())
		for row := range f.Rows() {
			for col := range f.Names() {
				sep := " "
				if col > 0 {
					sep = "|"
				}
				if got += sep; f.IsNull(col, row) {
					got += "-"
				}
				got += f.Text(col, row)
			}
		}
		if got != want {
			t.Errorf("%.40q reads as %.80q, want %.80q", text, got, want)
		}
	}
}

func TestCSVReaderRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "no header row",
		"a,b\n1\n":             "line 2: 1 cells; the header has 2",
		"a,b\n1,2\n1,2,3\n":    "line 3: 3 cells; the header has 2",
		"a\n\"x\ny\"\n\"z\n\n": "line 4: a quote is not closed",
		"a\n\"x\"y\n":          `line 2: 'y' follows a closing quote`,
	} {
		if _, err := readText(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "no.csv")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	path := filepath.Join(t.TempDir(), "x.txt")
	os.WriteFile(path, nil, 0o666)
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "the ending is none of") {
		t.Errorf("error %v", err)
	}
}

func TestGettersOfCSVText(t *testing.T) {
	f, err := readText(t, "int,float,flag,time,word\n-7,1e3,false,1.000000001,x\n,,,,\n")
	if err != nil {
		t.Fatal(err)
	}
	if f.Column("flag") != 2 || f.Column("nothing") != -1 {
		t.Error("columns are not found")
	}
	if v, ok := f.Int(0, 0); v != -7 || !ok {
		t.Errorf("int %d %v", v, ok)
	}
	if v, ok := f.Float(1, 0); v != 1000 || !ok {
		t.Errorf("float %v %v", v, ok)
	}
	if v, ok := f.Flag(2, 0); v || !ok {
		t.Errorf("flag %v %v", v, ok)
	}
	if v, ok := f.Seconds(3, 0); v != 1_000_000_001 || !ok {
		t.Errorf("time %v %v", v, ok)
	}
	for _, at := range [][2]int{{4, 0}, {0, 1}} { // a word, an absent value
		_, i := f.Int(at[0], at[1])
		_, x := f.Float(at[0], at[1])
		_, b := f.Flag(at[0], at[1])
		_, s := f.Seconds(at[0], at[1])
		if i || x || b || s {
			t.Errorf("cell %v is taken for a value: %v %v %v %v", at, i, x, b, s)
		}
	}
}

func TestQuotesOnlyWhereNeeded(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain", " a b ": " a b ", "": "", "x,y": `"x,y"`, "end\r": "\"end\r\"", "two\nlines": "\"two\nlines\"", `a"b`: `"a""b"`,
	} {
		if got := string(appendCell(nil, text)); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
	}
}
