package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"gpusim/reports/folder"
	"gpusim/reports/table"
	"gpusim/scenarios"
	"gpusim/sim/event"
)

// scenarioFlags are the flags of every command that loads a scenario.
type scenarioFlags struct {
	sets []string
	seed uint64
}

func (f *scenarioFlags) add(cmd *cobra.Command, seed bool) {
	cmd.Flags().StringArrayVar(&f.sets, "set", nil, "change a key of the scenario: PATH=VALUE, such as policy.backfill=easy")
	if seed {
		cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of every random stream (same as --set seed=N)")
	}
}

// load reads the scenario with the settings of the command line.
func (f *scenarioFlags) load(cmd *cobra.Command, name string) (*scenarios.Scenario, error) {
	sets, err := settings(f.sets)
	if err != nil {
		return nil, err
	}
	if cmd.Flags().Lookup("seed") != nil && cmd.Flags().Changed("seed") {
		sets = append(sets, scenarios.Setting{Path: "seed", Value: fmt.Sprint(f.seed)})
	}
	return scenarios.Load(name, cmd.InOrStdin(), sets)
}

func settings(list []string) ([]scenarios.Setting, error) {
	var sets []scenarios.Setting
	for _, s := range list {
		path, value, ok := strings.Cut(s, "=")
		if !ok || path == "" {
			return nil, fmt.Errorf("--set %s: write PATH=VALUE, such as policy.backfill=easy", s)
		}
		sets = append(sets, scenarios.Setting{Path: path, Value: value})
	}
	return sets, nil
}

func runCommand(io streams) *cobra.Command {
	var f scenarioFlags
	var dir, formats, output, progress string
	var quiet, force, debug bool
	cmd := &cobra.Command{
		Use:     "run SCENARIO",
		Short:   "Run one simulation",
		Long:    "run simulates a scenario: a file, - for standard input, or the name of a built-in\none. It prints a summary and, with -o, writes the run folder, which appears whole\nor not at all.",
		Example: "  gpusim run quickstart\n  gpusim run my.yaml -o out --format csv,parquet\n  gpusim run my.yaml --set policy.order=srtf --set policy.preemption=checkpoint",
		Args:    exactly(1, "SCENARIO"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("output", output, "table", "json"); err != nil {
				return err
			}
			if err := oneOf("progress", progress, "auto", "never"); err != nil {
				return err
			}
			if dir == "" && cmd.Flags().Changed("out") {
				return errors.New("-o needs the name of a folder, not an empty text")
			}
			fs, err := table.ParseFormats(formats)
			if err != nil {
				return fmt.Errorf("--format: %w", err)
			}
			stop := interrupts()
			defer stop.release()
			s, err := f.load(cmd, args[0])
			if err != nil {
				return err
			}
			if stop.asked() {
				return failed{errors.New("interrupted while the scenario was read: nothing was run")}
			}
			bar := newProgress(io, s, progress == "auto" && !quiet)
			out, err := s.Run(scenarios.RunOptions{Dir: dir, Force: force, Formats: fs, Debug: debug,
				Poll: func(now event.Time, events, ended uint64) bool {
					bar.show(now, events, ended)
					return !stop.asked()
				}})
			bar.close()
			if err != nil {
				if errors.Is(err, folder.ErrNotEmpty) {
					return fmt.Errorf("%w; choose another folder, or replace it with --force", err)
				}
				return runError(err)
			}
			if !quiet {
				for _, w := range out.Warnings {
					fmt.Fprintln(io.err, "warning:", w)
				}
			}
			if output == "json" {
				b, err := folder.MarshalJSON(out.Summary)
				if err != nil {
					return err
				}
				io.out.Write(b)
			} else if !quiet {
				printSummary(io.out, s, out, dir)
			}
			if !out.Summary.Complete {
				return failed{errors.New("interrupted: the run is not complete")}
			}
			return nil
		},
	}
	f.add(cmd, true)
	cmd.Flags().StringVarP(&dir, "out", "o", "", "write the run folder here")
	cmd.Flags().StringVar(&formats, "format", "csv", "formats of the tables: csv, arrow, parquet, separated by commas")
	cmd.Flags().StringVar(&output, "output", "table", "what to print: table or json (exactly summary.json)")
	cmd.Flags().BoolVar(&quiet, "quiet", false, "print nothing but errors (and JSON, where asked for)")
	cmd.Flags().StringVar(&progress, "progress", "auto", "auto: show progress on a terminal; never")
	cmd.Flags().BoolVar(&force, "force", false, "replace the run folder if it exists")
	cmd.Flags().BoolVar(&debug, "debug", false, "recompute every index after each round and compare (slow)")
	complete(cmd, "output", "table", "json")
	complete(cmd, "progress", "auto", "never")
	complete(cmd, "format", "csv", "arrow", "parquet")
	cmd.ValidArgsFunction = scenarioNames
	return cmd
}

// runError tells failures of the simulation from bad input.
func runError(err error) error {
	var inv scenarios.ErrInvariant
	if errors.As(err, &inv) {
		return failed{err}
	}
	return err
}

// interrupt turns the first SIGINT or SIGTERM into a wish to stop.
type interrupt struct {
	flag atomic.Bool
	ch   chan os.Signal
}

func interrupts() *interrupt {
	i := &interrupt{ch: make(chan os.Signal, 1)}
	signal.Notify(i.ch, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, ok := <-i.ch; ok {
			i.flag.Store(true)
			signal.Stop(i.ch) // the next one ends the program
		}
	}()
	return i
}

func (i *interrupt) asked() bool { return i.flag.Load() }

func (i *interrupt) release() {
	signal.Stop(i.ch)
	close(i.ch)
}

// exactly asks for n arguments of the given name.
func exactly(n int, name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return fmt.Errorf("%s needs one %s, got %d; see gpusim %s --help", cmd.Name(), name, len(args), cmd.Name())
	}
}

func oneOf(flag, value string, words ...string) error {
	for _, w := range words {
		if w == value {
			return nil
		}
	}
	return fmt.Errorf("--%s %q: use %s", flag, value, strings.Join(words, " or "))
}

func complete(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	})
}

func scenarioNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return scenarios.BuiltinNames(), cobra.ShellCompDirectiveDefault
}
