package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gpusim/reports/compare"
	"gpusim/reports/folder"
	"gpusim/scenarios"
)

func compareCommand(io streams) *cobra.Command {
	var sets, vary, metrics []string
	var seeds, dir, output string
	var force bool
	cmd := &cobra.Command{
		Use:   "compare SCENARIO --vary PATH=V1,V2,...",
		Short: "Run variants of a scenario and compare them",
		Long: "compare runs every combination of the variations under every seed, the same seeds\nfor all (common random numbers). It prints the mean of each figure with its 95 %\n" +
			"confidence interval, then the differences from the first variant, seed by seed.\nWith -o it writes compare.csv, compare.json and the scenario of each variant.\n\n" +
			"Values are YAML, parted by commas outside brackets; a value may be a mapping.\nA list in brackets is a list of values: to give one list as a value, write [[A, B]].",
		Example: "  gpusim compare quickstart --vary policy.backfill=none,easy,conservative\n" +
			"  gpusim compare my.yaml --vary policy.order=fifo,srtf --vary policy.placement=pack,spread --seeds 1..10 -o out\n" +
			"  gpusim compare my.yaml --vary 'policy.preemption=none,{name: checkpoint, interval: 1h}' --metric wait_s.p99,preemptions",
		Args: exactly(1, "SCENARIO"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("output", output, "table", "json", "csv"); err != nil {
				return err
			}
			c, err := newComparison(cmd, args[0], sets, vary, metrics, seeds)
			if err != nil {
				return err
			}
			stop := interrupts()
			defer stop.release()
			_, tty := terminal(io.err)
			r, err := c.Run(scenarios.CompareOptions{Dir: dir, Force: force, Stop: stop.asked, Ran: func(runs, of int) {
				if tty {
					fmt.Fprintf(io.err, "\r%d of %d runs", runs, of)
				}
			}})
			if tty {
				fmt.Fprint(io.err, "\r\033[K")
			}
			switch {
			case errors.Is(err, folder.ErrNotEmpty):
				return fmt.Errorf("%w; choose another folder, or replace it with --force", err)
			case errors.Is(err, scenarios.ErrStopped):
				return failed{err}
			case err != nil:
				return runError(err)
			}
			for _, w := range r.Warnings {
				fmt.Fprintln(io.err, "warning:", w)
			}
			return printComparison(io, r, output, dir)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&vary, "vary", nil, "a key and its values: PATH=V1,V2,..., such as policy.order=fifo,srtf")
	f.StringArrayVar(&sets, "set", nil, "change a key of every variant: PATH=VALUE")
	f.StringVar(&seeds, "seeds", "", "seeds of all variants: A..B, both included (default: the scenario's own)")
	f.StringSliceVar(&metrics, "metric", nil, "figures of summary.json to compare (default "+strings.Join(scenarios.DefaultMetrics(), ",")+")")
	f.StringVarP(&dir, "out", "o", "", "write compare.csv, compare.json and the variants here")
	f.StringVar(&output, "output", "table", "what to print: table, json or csv (exactly the files)")
	f.BoolVar(&force, "force", false, "replace the folder if it exists")
	complete(cmd, "output", "table", "json", "csv")
	cmd.ValidArgsFunction = scenarioNames
	return cmd
}

func newComparison(cmd *cobra.Command, name string, sets, vary, metrics []string, seeds string) (*scenarios.Comparison, error) {
	base, err := settings(sets)
	if err != nil {
		return nil, err
	}
	var errs []error
	var list []scenarios.Variation
	for _, v := range vary {
		x, err := scenarios.ParseVariation(v)
		errs = append(errs, err)
		list = append(list, x)
	}
	var numbers []uint64
	if cmd.Flags().Changed("seeds") {
		numbers, err = scenarios.ParseSeeds(seeds)
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return scenarios.NewComparison(name, cmd.InOrStdin(), base, list, numbers, metrics)
}

func printComparison(io streams, r *compare.Result, output, dir string) error {
	switch output {
	case "json":
		b, err := folder.MarshalJSON(r)
		if err != nil {
			return err
		}
		_, err = io.out.Write(b)
		return err
	case "csv":
		return r.WriteCSV(io.out)
	}
	if err := r.WriteTable(io.out); err != nil {
		return err
	}
	if dir != "" {
		fmt.Fprintf(io.out, "written to %s\n", dir)
	}
	return nil
}
