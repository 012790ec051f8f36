package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"gpusim/reports/explain"
	"gpusim/reports/folder"
)

func explainCommand(io streams) *cobra.Command {
	var dir, output string
	cmd := &cobra.Command{
		Use:     "explain JOB --run DIR",
		Short:   "Tell the life of one job",
		Long:    "explain reads a run folder and tells the life of one job: what it asked for, why it\nwaited and for how long, where it ran, what stopped it and how it ended. What the\nrun did not write down is named.",
		Example: "  gpusim run quickstart -o out\n  gpusim explain llm-finetune --run out\n  gpusim explain llm-finetune --run out --output json",
		Args:    exactly(1, "JOB"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := oneOf("output", output, "table", "json"); err != nil {
				return err
			}
			if dir == "" {
				return errors.New("explain needs a run folder: --run DIR (gpusim run SCENARIO -o DIR writes one)")
			}
			run, err := folder.Open(dir)
			if err != nil {
				return err
			}
			life, err := explain.Job(run, args[0])
			if err != nil {
				return fmt.Errorf("%s: %w", dir, err)
			}
			if output == "json" {
				b, err := folder.MarshalJSON(life)
				if err != nil {
					return err
				}
				_, err = io.out.Write(b)
				return err
			}
			return life.Write(io.out)
		},
	}
	cmd.Flags().StringVar(&dir, "run", "", "run folder to read")
	cmd.Flags().StringVar(&output, "output", "table", "what to print: table (words) or json")
	complete(cmd, "output", "table", "json")
	_ = cmd.MarkFlagDirname("run")
	return cmd
}
