package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gpusim/hardware/topology"
	"gpusim/workloads/document"
)

// topoFlags are the flags of hardware topo.
type topoFlags struct {
	file, busy, output string
	pick               int
}

func hardwareTopoCommand(io streams) *cobra.Command {
	var f topoFlags
	cmd := &cobra.Command{
		Use:   "topo [NODE]",
		Short: "Show how the GPUs and NICs of a node are joined, and pick GPUs that are near",
		Long: "topo prints the matrix of a node as nvidia-smi topo -m does, and on standard error\nwhere it comes from. With --read it reads such a matrix instead, of any driver.\n" +
			"--pick chooses free GPUs: best worst link, then best sum, then lowest indices, in\nthe order NV by number, PIX, PXB, PHB, NODE, SYS. JSON also has a ring.",
		Example: "  gpusim hardware topo dgx-h100\n  gpusim hardware topo dgx-1v --pick 4 --busy 0,5\n  nvidia-smi topo -m | gpusim hardware topo --read - --pick 2 --output json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("topo takes one NODE, got %d; see gpusim topo --help", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, io, strings.Join(args, ""))
		},
	}
	cmd.Flags().StringVar(&f.file, "read", "", "read what nvidia-smi topo -m printed; - is standard input")
	cmd.Flags().IntVar(&f.pick, "pick", 0, "choose so many free GPUs that are near each other")
	cmd.Flags().StringVar(&f.busy, "busy", "", "indices of GPUs that are not free: 0,2")
	addOutput(cmd, &f.output, "table", "json", "csv")
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		nodes, err := topology.Load()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return topologyNames(nodes), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

func (f *topoFlags) run(cmd *cobra.Command, s streams, name string) error {
	if err := oneOf("output", f.output, "table", "json", "csv"); err != nil {
		return err
	}
	if f.busy != "" && !cmd.Flags().Changed("pick") {
		return errors.New("--busy needs --pick K")
	}
	node, err := f.node(cmd, s, name)
	if err != nil {
		return err
	}
	picked := topoPick{asked: cmd.Flags().Changed("pick")}
	if picked.asked {
		busy, err := f.busyOf(node)
		if err != nil {
			return err
		}
		if picked.gpus, picked.worst, err = node.Pick(f.pick, busy); err != nil {
			return fmt.Errorf("--pick %d: %w", f.pick, err)
		}
	}
	switch f.output {
	case "json":
		return printJSON(s.out, topoDocument(node, picked))
	case "csv":
		return topoCSV(s.out, node)
	}
	if err := node.Print(s.out); err != nil {
		return err
	}
	if picked.asked {
		fmt.Fprintf(s.out, "\npicked %s", strings.Join(gpuNames(node, picked.gpus), ", "))
		if picked.worst != "" {
			fmt.Fprintf(s.out, " (worst link %s)", picked.worst)
		}
		fmt.Fprintln(s.out)
	}
	return nil
}

// node is the node of a name or of a file.
func (f *topoFlags) node(cmd *cobra.Command, s streams, name string) (*topology.Node, error) {
	if cmd.Flags().Changed("read") {
		if name != "" {
			return nil, fmt.Errorf("give NODE %s or --read %s, not both", name, f.file)
		}
		data, err := readFile(s, f.file)
		if err != nil {
			return nil, fmt.Errorf("--read: %w", err)
		}
		return topology.Read(f.file, string(data))
	}
	nodes, err := topology.Load()
	if err != nil {
		return nil, err
	}
	k, ok := topology.Find(nodes, name)
	if !ok {
		return nil, unknownTopology(nodes, name)
	}
	for _, src := range k.Sources {
		fmt.Fprintln(s.err, strings.TrimSuffix(fmt.Sprintf("%s: %s: %s: %s", k.Name, src.Figures, src.Status, src.Text), ": "))
	}
	return &k.Node, nil
}

func topologyNames(nodes []topology.Known) []string {
	var names []string
	for _, k := range nodes {
		names = append(names, k.Name)
	}
	return names
}

func unknownTopology(nodes []topology.Known, name string) error {
	names := topologyNames(nodes)
	const more = "; --read FILE reads a matrix of your own"
	if name == "" {
		return errors.New("topo needs a NODE: " + strings.Join(names, ", ") + more)
	}
	return errors.New(document.Unknown("node", name, name, names) + more)
}

// readFile reads a file; - is standard input.
func readFile(s streams, name string) ([]byte, error) {
	if name != "-" {
		return os.ReadFile(name)
	}
	data, err := io.ReadAll(s.in)
	if err != nil {
		return nil, fmt.Errorf("standard input: %w", err)
	}
	return data, nil
}

// busyOf is the positions of the busy GPUs.
func (f *topoFlags) busyOf(n *topology.Node) ([]int, error) {
	var busy []int
	for _, word := range strings.Split(f.busy, ",") {
		if f.busy == "" {
			break
		}
		index, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil {
			return nil, fmt.Errorf("--busy %s: %q is no index of a GPU; write --busy 0,2", f.busy, word)
		}
		i := n.At(index)
		if i < 0 {
			return nil, fmt.Errorf("--busy %s: the node has no GPU%d", f.busy, index)
		}
		busy = append(busy, i)
	}
	return busy, nil
}

// topoPick is what --pick chose, as positions.
type topoPick struct {
	asked bool
	gpus  []int
	worst topology.Link
}

func gpuNames(n *topology.Node, positions []int) []string {
	var names []string
	for _, i := range positions {
		names = append(names, "GPU"+strconv.Itoa(n.GPUs[i].Index))
	}
	return names
}

// topoDocument is the document of hardware topo --output json; null is unknown
// or not asked for.
func topoDocument(n *topology.Node, picked topoPick) any {
	type gpu struct {
		Index int     `json:"index"`
		CPUs  *string `json:"cpus"`
		NUMA  any     `json:"numa"`
		NIC   *string `json:"nearest_nic"`
	}
	doc := struct {
		GPUs  []gpu             `json:"gpus"`
		Links [][]topology.Link `json:"links"`
		Pick  []int             `json:"pick"`
		Worst *string           `json:"worst"`
		Ring  []int             `json:"ring"`
	}{Pick: indicesOf(n, picked.gpus), Worst: known(string(picked.worst)), Ring: indicesOf(n, n.Ring())}
	for i, g := range n.GPUs {
		row := gpu{Index: g.Index, CPUs: known(g.CPUs), NIC: known(n.NearestNIC(i))}
		if node, err := strconv.Atoi(g.NUMA); err == nil {
			row.NUMA = node
		} else if g.NUMA != "" {
			row.NUMA = g.NUMA // several
		}
		doc.GPUs = append(doc.GPUs, row)
		doc.Links = append(doc.Links, n.Links[i][:len(n.GPUs)])
	}
	return doc
}

func indicesOf(n *topology.Node, positions []int) []int {
	var list []int
	for _, i := range positions {
		list = append(list, n.GPUs[i].Index)
	}
	return list
}

// topoCSV writes a row a pair of devices.
func topoCSV(w io.Writer, n *topology.Node) error {
	rows := [][]string{{"from", "to", "link"}}
	names := n.Names()
	for i, a := range names {
		for j, b := range names {
			if i != j {
				rows = append(rows, []string{a, b, string(n.Links[i][j])})
			}
		}
	}
	return writeCSV(w, rows)
}
