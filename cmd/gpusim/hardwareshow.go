package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"gpusim/hardware/catalogue"
	"gpusim/reports/folder"
)

// hardwareEntry is one GPU or node type with all that is known of it.
type hardwareEntry struct {
	Kind   string           `json:"kind"` // gpu or node
	ID     string           `json:"id"`
	Name   *string          `json:"smi_name,omitempty"` // that nvidia-smi prints
	Fields []hardwareFigure `json:"fields"`
	Notes  *string          `json:"notes"`

	gpu string // of a node
}

// hardwareFigure is one figure; its value is null where it is unknown.
type hardwareFigure struct {
	Name   string  `json:"name"`
	Value  any     `json:"value"`
	Unit   *string `json:"unit"`
	Status *string `json:"status"` // read, memory, computed, ...
	Source *string `json:"source"`
	Doc    string  `json:"doc"`

	text string
}

func figures(values []catalogue.Value) []hardwareFigure {
	var list []hardwareFigure
	for _, v := range values {
		f := hardwareFigure{Name: v.Name, Unit: known(v.Unit), Status: known(string(v.Status)), Source: known(v.Source), Doc: v.Doc, text: v.Text}
		if _, is := v.Number(); is {
			f.Value = json.Number(v.Text)
		} else if v.Known {
			f.Value = v.Text
		}
		list = append(list, f)
	}
	return list
}

// hardwareEntryOf finds a GPU or node type.
func hardwareEntryOf(c *catalogue.Catalogue, name string) (*hardwareEntry, error) {
	if g, ok := c.GPU(name); ok {
		return &hardwareEntry{Kind: "gpu", ID: g.ID, Name: known(g.Name), Notes: known(g.Notes), Fields: figures(g.Fields)}, nil
	}
	n, ok := c.NodeType(name)
	if !ok {
		return nil, unknownHardware(c, name)
	}
	return &hardwareEntry{Kind: "node", ID: n.Name, Fields: figures(n.Fields), gpu: n.GPU}, nil
}

func (e *hardwareEntry) csv(w io.Writer) error {
	t := csv.NewWriter(w)
	rows := [][]string{{"name", "value", "unit", "status", "source", "doc"}}
	for _, f := range e.Fields {
		rows = append(rows, []string{f.Name, f.text, or(f.Unit, ""), or(f.Status, ""), or(f.Source, ""), f.Doc})
	}
	if err := t.WriteAll(rows); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	return nil
}

// table prints a line a figure; sources are long, so they stand below, once.
func (e *hardwareEntry) table(w io.Writer) error {
	fmt.Fprintf(w, "%s\n", e.ID)
	var sources []string
	mark := map[string]int{}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range e.Fields {
		if f.Name == "id" || f.Name == "name" { // stands above
			continue
		}
		if f.text == "" {
			fmt.Fprintf(t, "  %s\tunknown\t\t%s\n", f.Name, f.Doc)
			continue
		}
		s := or(f.Source, "no source")
		if mark[s] == 0 {
			sources = append(sources, s)
			mark[s] = len(sources)
		}
		fmt.Fprintf(t, "  %s\t%s\t[%d]\t%s\n", f.Name, strings.TrimSpace(f.text+" "+or(f.Unit, "")), mark[s], f.Doc)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	for i, s := range sources {
		fmt.Fprintf(w, "[%d] %s\n", i+1, s)
	}
	if e.Notes != nil {
		fmt.Fprintf(w, "note: %s\n", *e.Notes)
	}
	if e.Kind == "node" {
		fmt.Fprintf(w, "its GPUs: gpusim hardware show %s\n", e.gpu)
	} else {
		fmt.Fprintf(w, "in a scenario: cluster: {nodes: [{count: 2, name: n, gpu: %s, gpus: 8}]}\n", e.ID)
	}
	return nil
}

// or is s, or another text where it is unknown.
func or(s *string, otherwise string) string {
	if s == nil {
		return otherwise
	}
	return *s
}

// printJSON writes a document the way the files of a run folder look.
func printJSON(w io.Writer, v any) error {
	b, err := folder.MarshalJSON(v)
	if err == nil {
		_, err = w.Write(b)
	}
	if err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}
