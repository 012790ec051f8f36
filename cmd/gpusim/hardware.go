package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gpusim/hardware/catalogue"
	"gpusim/workloads/document"
)

func hardwareCommand(io streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "hardware",
		Short:   "Show the GPUs and node types that gpusim knows",
		Long:    "hardware shows the catalogue. Every figure says where it comes from; one that\nnobody found is unknown, never zero.",
		Example: "  gpusim hardware list\n  gpusim hardware show H100-SXM5-80GB\n  gpusim hardware mig A100-SXM4-80GB\n  gpusim hardware topo dgx-h100",
		Args:    none,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(hardwareListCommand(io), hardwareShowCommand(io), hardwareMIGCommand(io), hardwareTopoCommand(io))
	return cmd
}

func hardwareListCommand(io streams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List GPUs and node types with the figures that matter first",
		Long:    "list shows all GPUs and node types. What is unknown is - in the table, null in\nJSON and empty in CSV.",
		Example: "  gpusim hardware list\n  gpusim hardware list --output csv > hardware.csv",
		Args:    none,
		RunE: func(*cobra.Command, []string) error {
			if err := oneOf("output", output, "table", "json", "csv"); err != nil {
				return err
			}
			c, err := catalogue.Load()
			if err != nil {
				return err
			}
			switch output {
			case "json":
				return printJSON(io.out, hardwareLists(c))
			case "csv":
				return hardwareListCSV(io.out, c)
			}
			return hardwareListTable(io.out, c)
		},
	}
	addOutput(cmd, &output, "table", "json", "csv")
	return cmd
}

func hardwareShowCommand(io streams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:     "show GPU|NODETYPE",
		Short:   "Show every figure of a GPU or node type, and its source",
		Long:    "show prints every figure of a GPU or node type with its unit and where it was\nread. A GPU is named by its id or as nvidia-smi prints it; case does not matter.",
		Example: "  gpusim hardware show A100-SXM4-80GB\n  gpusim hardware show dgx-h100 --output json",
		Args:    exactly(1, "GPU or node type"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := oneOf("output", output, "table", "json", "csv"); err != nil {
				return err
			}
			c, err := catalogue.Load()
			if err != nil {
				return err
			}
			e, err := hardwareEntryOf(c, args[0])
			if err != nil {
				return err
			}
			switch output {
			case "json":
				return printJSON(io.out, e)
			case "csv":
				return e.csv(io.out)
			}
			return e.table(io.out)
		},
	}
	addOutput(cmd, &output, "table", "json", "csv")
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		c, err := catalogue.Load()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return hardwareNames(c), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// addOutput adds the flag --output.
func addOutput(cmd *cobra.Command, output *string, words ...string) {
	cmd.Flags().StringVar(output, "output", words[0], "what to print: "+strings.Join(words, ", "))
	complete(cmd, "output", words...)
}

// hardwareNames lists GPUs and node types in the order of the catalogue.
func hardwareNames(c *catalogue.Catalogue) []string {
	var names []string
	for _, g := range c.GPUs() {
		names = append(names, g.ID)
	}
	for _, n := range c.NodeTypes() {
		names = append(names, n.Name)
	}
	return names
}

// unknownHardware is the error for a name that is not in the catalogue; it
// offers the names that contain it, or the nearest one.
func unknownHardware(c *catalogue.Catalogue, name string) error {
	var near []string
	for _, n := range hardwareNames(c) {
		if name != "" && strings.Contains(strings.ToLower(n), strings.ToLower(name)) {
			near = append(near, n)
		}
	}
	if len(near) == 0 {
		near = []string{document.Nearest(name, hardwareNames(c)), c.Nearest(name)}
	}
	near = slices.DeleteFunc(near, func(n string) bool { return n == "" })
	msg := fmt.Sprintf("there is no GPU or node type %q", name)
	if len(near) > 0 {
		msg += "; did you mean " + strings.Join(slices.Compact(near), " or ") + "?"
	}
	return errors.New(msg + " (gpusim hardware list shows all)")
}
