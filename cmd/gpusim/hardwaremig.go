package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"gpusim/hardware/mig"
)

// migFlags are the flags of hardware mig.
type migFlags struct {
	config, name, naming, compute string
	gpus, driver                  int
	output                        string
}

func hardwareMIGCommand(io streams) *cobra.Command {
	var f migFlags
	cmd := &cobra.Command{
		Use:   "mig GPU",
		Short: "Show how a GPU can be cut into instances (MIG), or check a partition file",
		Long: "mig prints the profiles and placements of a GPU as nvidia-smi mig -lgip and -lgipp\ndo, and every maximal set of instances. Figures that nobody found are -.\n\n" +
			"With --config it reads a partition file in the form of NVIDIA's mig-parted and says\nwhat a node of --gpus such GPUs looks like then, or why it cannot be.",
		Example: "  gpusim hardware mig A100-SXM4-40GB\n  gpusim hardware mig H100-SXM5-80GB --compute 3g.40gb\n  gpusim hardware mig A100-SXM4-40GB --config parts.yaml --select halves --gpus 2 --output json",
		Args:    exactly(1, "GPU"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, io, args[0])
		},
	}
	cmd.Flags().StringVar(&f.config, "config", "", "a partition file to check (mig-parted, v1); - is standard input")
	cmd.Flags().StringVar(&f.name, "select", "", "the configuration of the file; needed where it has several")
	cmd.Flags().IntVar(&f.gpus, "gpus", 8, "number of GPUs of the node")
	cmd.Flags().StringVar(&f.naming, "naming", "mixed", "how the node names its instances: mixed, single")
	cmd.Flags().StringVar(&f.compute, "compute", "", "show the compute instances inside an instance of this profile")
	cmd.Flags().IntVar(&f.driver, "driver", 535, "lay tables out as this branch of the driver does (wider from 570)")
	addOutput(cmd, &f.output, "table", "json", "csv")
	complete(cmd, "naming", "mixed", "single")
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		t, err := mig.Load()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return t.Cards(), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

func (f *migFlags) run(cmd *cobra.Command, io streams, gpu string) error {
	if err := errors.Join(oneOf("output", f.output, "table", "json", "csv"), oneOf("naming", f.naming, "mixed", "single")); err != nil {
		return err
	}
	if f.gpus < 1 || f.gpus > 1024 {
		return fmt.Errorf("--gpus %d: a node has 1 to 1024 GPUs", f.gpus)
	}
	if f.config == "" {
		for _, name := range []string{"select", "gpus", "naming"} {
			if cmd.Flags().Changed(name) {
				return fmt.Errorf("--%s needs --config FILE", name)
			}
		}
	}
	t, err := mig.Load()
	if err != nil {
		return err
	}
	d, err := t.Find(gpu)
	if err != nil {
		return err
	}
	switch {
	case f.config != "":
		return f.check(io, d)
	case f.compute != "":
		p, err := d.FindProfile(f.compute)
		if err != nil {
			return fmt.Errorf("--compute: %w", err)
		}
		return f.printCompute(io.out, d, p)
	case f.output == "json":
		return printJSON(io.out, migTable(d))
	case f.output == "csv":
		return migCSV(io.out, d)
	}
	return migText(io.out, d, f.driver)
}

// migText prints the tables of nvidia-smi, then the maximal sets.
func migText(w io.Writer, d *mig.Device, driver int) error {
	if err := errors.Join(d.PrintProfiles(w, mig.LayoutOf(driver)), d.PrintPlacements(w)); err != nil {
		return err
	}
	sets := d.Maximal(d.Core())
	fmt.Fprintf(w, "\n%d maximal sets of %s, on %d memory slices:\n", len(sets), strings.Join(d.Core(), ", "), d.Slots)
	for i, set := range sets {
		fmt.Fprintf(w, "%3d  %s  %s\n", i+1, d.Draw(set), migSet(set))
	}
	if all := d.CoreAndWide(); len(all) > len(d.Core()) {
		fmt.Fprintf(w, "With %s there are %d (--output json lists them).\n", strings.Join(all, ", "), len(d.Maximal(all)))
	}
	fmt.Fprintln(w, "Sets with the media engines (+me) are not listed.")
	fmt.Fprintf(w, "\nsources of %s\n", d.Name)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range d.Sources {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", s.Figures, s.Status, s.Text)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	return nil
}

func migSet(set []mig.Instance) string {
	var words []string
	for _, in := range set {
		words = append(words, fmt.Sprintf("%s at %d", in.Profile, in.Start))
	}
	return strings.Join(words, ", ")
}
