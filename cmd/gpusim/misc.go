package main

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"gpusim/scenarios"
)

func validateCommand(io streams) *cobra.Command {
	var f scenarioFlags
	cmd := &cobra.Command{
		Use:     "validate [SCENARIO]",
		Short:   "Check a scenario without running it",
		Long:    "validate reads a scenario and everything it names and lists all that is wrong,\neach with file, line and column. Without a SCENARIO it reads all built-in ones.",
		Example: "  gpusim validate my.yaml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("validate takes one SCENARIO, got %d; see gpusim validate --help", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = scenarios.BuiltinNames()
			}
			var errs []error
			for _, name := range args {
				s, err := f.load(cmd, name)
				if err != nil {
					errs = append(errs, err)
					continue
				}
				for _, w := range s.Warnings {
					fmt.Fprintln(io.err, "warning:", w)
				}
				gpus := 0
				for i := range s.Spec.Nodes {
					gpus += s.Spec.Nodes[i].GPUs
				}
				fmt.Fprintf(io.out, "%s: valid (%d nodes, %d GPUs, %d jobs)\n", name, len(s.Spec.Nodes), gpus, s.Size())
			}
			return errors.Join(errs...)
		},
	}
	f.add(cmd, false)
	cmd.ValidArgsFunction = scenarioNames
	return cmd
}

func scenariosCommand(io streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "scenarios",
		Short:   "List and show the built-in scenarios",
		Example: "  gpusim scenarios list\n  gpusim scenarios show quickstart > my.yaml",
		Args:    none,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use: "list", Short: "List the built-in scenarios", Example: "  gpusim scenarios list", Args: none,
		RunE: func(*cobra.Command, []string) error {
			width := 0
			for _, n := range scenarios.BuiltinNames() {
				width = max(width, len(n))
			}
			for _, n := range scenarios.BuiltinNames() {
				fmt.Fprintf(io.out, "%-*s  %s\n", width, n, scenarios.BuiltinTitle(n))
			}
			return nil
		},
	}, &cobra.Command{
		Use: "show NAME", Short: "Print a built-in scenario", Example: "  gpusim scenarios show quickstart > my.yaml", Args: exactly(1, "NAME"),
		ValidArgsFunction: scenarioNames,
		RunE: func(_ *cobra.Command, args []string) error {
			data, ok := scenarios.Builtin(args[0])
			if !ok {
				return fmt.Errorf("there is no built-in scenario %q; gpusim scenarios list shows them", args[0])
			}
			_, err := io.out.Write(data)
			return err
		},
	})
	return cmd
}

func schemaCommand(io streams) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of the scenario file",
		Example: "  gpusim schema > gpusim.schema.json",
		Args:    none,
		RunE: func(*cobra.Command, []string) error {
			b, err := scenarios.Schema()
			if err != nil {
				return err
			}
			_, err = io.out.Write(b)
			return err
		},
	}
}

func versionCommand(io streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print version, commit and Go version",
		Example: "  gpusim version",
		Args:    none,
		RunE: func(*cobra.Command, []string) error {
			version, commit := "devel", "unknown"
			if info, ok := debug.ReadBuildInfo(); ok {
				if v := info.Main.Version; v != "" && v != "(devel)" {
					version = v
				}
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						commit = s.Value
					}
				}
			}
			fmt.Fprintf(io.out, "gpusim %s\ncommit %s\n%s %s/%s\n", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

// none refuses arguments.
func none(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no argument %q; see gpusim %s --help", cmd.Name(), args[0], cmd.Name())
	}
	return nil
}
