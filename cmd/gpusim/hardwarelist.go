package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"gpusim/hardware/catalogue"
)

// hardwareLists is the document of hardware list --output json; null is unknown.
func hardwareLists(c *catalogue.Catalogue) any {
	type gpu struct {
		ID        string       `json:"id"`
		Name      *string      `json:"smi_name"`
		Vendor    *string      `json:"vendor"`
		Memory    *json.Number `json:"mem_gb"`
		Kind      *string      `json:"mem_type"`
		Bandwidth *json.Number `json:"mem_bw_gbps"`
		FP16      *json.Number `json:"fp16_dense"`
		BF16      *json.Number `json:"bf16_dense"`
		TDP       *json.Number `json:"tdp_w"`
		NVLink    *json.Number `json:"nvlink_total_gbps"`
		MIG       *json.Number `json:"mig_max"`
	}
	type node struct {
		Name   string       `json:"id"`
		GPU    string       `json:"gpu"`
		GPUs   int          `json:"gpus"`
		CPUs   *json.Number `json:"cpu_cores"`
		Memory *json.Number `json:"memory_gib"`
	}
	lists := struct {
		GPUs  []gpu  `json:"gpus"`
		Nodes []node `json:"node_types"`
	}{[]gpu{}, []node{}}
	for _, g := range c.GPUs() {
		text := func(name string) *string { return known(g.Get(name).Text) }
		num := func(name string) *json.Number { return (*json.Number)(text(name)) }
		lists.GPUs = append(lists.GPUs, gpu{g.ID, text("smi_name"), text("vendor"), num("mem_gb"), text("mem_type"), num("mem_bw_gbps"),
			num("fp16_dense"), num("bf16_dense"), num("tdp_w"), num("nvlink_total_gbps"), num("mig_max")})
	}
	for _, n := range c.NodeTypes() {
		lists.Nodes = append(lists.Nodes, node{n.Name, n.GPU, n.GPUs, (*json.Number)(known(n.Get("cpu_cores").Text)), (*json.Number)(known(n.Get("memory_gib").Text))})
	}
	return lists
}

// listColumns are the figures of a GPU in lists, as the catalogue names them.
var listColumns = [...]string{"mem_gb", "mem_bw_gbps", "fp16_dense", "bf16_dense", "tdp_w", "nvlink_total_gbps", "mig_max"}

// hardwareListCSV writes one table for both kinds: a column that one of them
// does not have is empty, like a figure that is unknown.
func hardwareListCSV(w io.Writer, c *catalogue.Catalogue) error {
	t := csv.NewWriter(w)
	header := append([]string{"kind", "id"}, listColumns[:]...)
	rows := [][]string{append(header, "gpu", "gpus", "cpu_cores", "memory_gib")}
	for _, g := range c.GPUs() {
		row := []string{"gpu", g.ID}
		for _, name := range listColumns {
			row = append(row, g.Get(name).Text)
		}
		rows = append(rows, append(row, "", "", "", ""))
	}
	for _, n := range c.NodeTypes() {
		row := []string{"node", n.Name}
		for range listColumns {
			row = append(row, "")
		}
		rows = append(rows, append(row, n.GPU, strconv.Itoa(n.GPUs), n.Get("cpu_cores").Text, n.Get("memory_gib").Text))
	}
	if err := t.WriteAll(rows); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	return nil
}

func hardwareListTable(w io.Writer, c *catalogue.Catalogue) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "GPU\tmemory GB\tGB/s\tFP16 TFLOPS\tBF16 TFLOPS\tTDP W\tNVLink GB/s\tMIG")
	for _, g := range c.GPUs() {
		fmt.Fprint(t, g.ID)
		for _, name := range listColumns {
			fmt.Fprint(t, "\t", dash(g.Get(name).Text))
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(t, "node type\tGPUs\tCPU cores\tmemory GiB")
	for _, n := range c.NodeTypes() {
		fmt.Fprintf(t, "%s\t%d x %s\t%s\t%s\n", n.Name, n.GPUs, n.GPU, dash(n.Get("cpu_cores").Text), dash(n.Get("memory_gib").Text))
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	fmt.Fprintln(w, "\n- is not known. TFLOPS are dense peaks; MIG is the most instances (0: none).")
	fmt.Fprintln(w, "gpusim hardware show NAME gives every figure and its source.")
	return nil
}

// dash shows an unknown value to people.
func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// known is nil for an unknown value.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
