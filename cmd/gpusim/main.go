// Command gpusim simulates GPU clusters. This package is flags in and text out;
// it decides nothing.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitFailed = 1 // the simulation or a check failed
	exitUsage  = 2 // wrong use or bad input
)

// failed is an error that means "it ran and failed", not "wrong use".
type failed struct{ error }

func (f failed) Unwrap() error { return f.error }

// quiet is an error whose words have been printed already.
var errSilent = errors.New("")

func main() {
	os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// run is main with everything that it touches.
func run(args []string, io streams) int {
	out := &watched{to: io.out}
	io.out = out
	root := rootCommand(io)
	root.SetArgs(args)
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	err := root.Execute()
	if out.err != nil {
		err = failed{fmt.Errorf("writing the output: %w", out.err)}
	}
	if err == nil {
		return 0
	}
	var f failed
	code := exitUsage
	if errors.As(err, &f) {
		code = exitFailed
	}
	if !errors.Is(err, errSilent) {
		fmt.Fprintf(io.err, "gpusim: %s\n", visible(err.Error()))
	}
	return code
}

func rootCommand(io streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "gpusim",
		Short:         "Simulate GPU clusters: replay job traces under scheduling policies",
		Long:          "gpusim replays job traces on modelled GPU clusters under pluggable scheduling\npolicies, and says what happened and why.",
		Example:       "  gpusim run quickstart\n  gpusim run my.yaml -o out --format csv,parquet\n  gpusim compare quickstart --vary policy.backfill=none,easy,conservative",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown command %q; gpusim --help lists the commands", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(runCommand(io), checkCommand(io), compareCommand(io), validateCommand(io), explainCommand(io),
		scenariosCommand(io), schemaCommand(io), hardwareCommand(io), traceCommand(io), versionCommand(io))
	return root
}
