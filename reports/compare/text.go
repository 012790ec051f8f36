package compare

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// WriteTable writes the means and the differences for people.
func (r *Result) WriteTable(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s: %s, %s\n\n", r.Scenario, count(len(r.Variants), "variant"), r.seedText())
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%soffered load\tjobs that waited\t%s\n", r.paths(), strings.Join(r.Metrics, "\t"))
	for i := range r.Variants {
		v := &r.Variants[i]
		fmt.Fprintf(t, "%s%s\t%s", v.values(), percent(v.Load.Mean), percent(v.Waited.Mean))
		for k := range v.Figures {
			fmt.Fprintf(t, "\t%s", v.Figures[k].plusMinus(false))
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	if len(r.Variants) > 1 {
		fmt.Fprintf(b, "\ndifference from %s, seed by seed\n\n", r.Variants[0].Name())
		fmt.Fprintf(t, "%s%s\n", r.paths(), strings.Join(r.Metrics, "\t"))
		apart := false
		for i := range r.Variants[1:] {
			v := &r.Variants[i+1]
			var cells []string
			for k := range v.Differences {
				cells = append(cells, v.Differences[k].plusMinus(true))
				apart = apart || v.Differences[k].Apart()
			}
			fmt.Fprintf(t, "%s%s\n", v.values(), strings.Join(cells, "\t"))
		}
		t.Flush()
		if apart {
			fmt.Fprintf(b, "\n* zero lies outside the 95 %% interval\n")
		}
	}
	if len(r.Seeds) == 1 {
		fmt.Fprintf(b, "\none seed gives no intervals; --seeds 1..10 would\n")
	} else {
		fmt.Fprintf(b, "\nmean ± half of the 95 %% confidence interval (Student t, %d degrees of freedom)\n", len(r.Seeds)-1)
	}
	_, err := io.WriteString(w, trimmed(b.String()))
	return err
}

// trimmed takes the blanks off the ends of lines.
func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func (r *Result) seedText() string {
	if len(r.Seeds) == 1 {
		return fmt.Sprintf("seed %d", r.Seeds[0])
	}
	return fmt.Sprintf("seeds %d to %d", r.Seeds[0], r.Seeds[len(r.Seeds)-1])
}

func (r *Result) paths() string {
	s := ""
	for _, x := range r.Variants[0].Settings {
		s += x.Path + "\t"
	}
	return s
}

func (v *Variant) values() string {
	s := ""
	for _, x := range v.Settings {
		s += x.Value + "\t"
	}
	return s
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// plusMinus writes mean ± half interval; a difference has its sign, and a star
// where zero lies outside.
func (f *Figure) plusMinus(difference bool) string {
	if f.Mean == nil {
		return "-"
	}
	s := short(*f.Mean)
	if difference && *f.Mean > 0 {
		s = "+" + s
	}
	if half, ok := f.Half(); ok {
		s += " ± " + short(half)
	}
	if difference && f.Apart() {
		s += " *"
	}
	return s
}

func percent(v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(100**v, 'f', 1, 64) + " %"
}

// short writes a number with five digits or all before the point.
func short(f float64) string {
	if f == 0 || math.Abs(f) < 1e-9 {
		return "0"
	}
	digits := 4 - int(math.Floor(math.Log10(math.Abs(f))))
	s := strconv.FormatFloat(f, 'f', max(0, min(digits, 12)), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
