package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gpusim/scenarios"
)

func checkCommand(io streams) *cobra.Command {
	var debug bool
	cmd := &cobra.Command{
		Use:     "check PATH...",
		Short:   "Run scenarios and compare with what they expect",
		Long:    "check runs each scenario that has an expect block and compares. It prints a line\nfor each expectation that fails, then a closing line. Folders are walked; a\nbuilt-in scenario is checked by its name.",
		Example: "  gpusim check scenarios\n  gpusim check my.yaml other.yaml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("check needs a PATH; see gpusim check --help")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := scenarioFiles(args)
			if err != nil {
				return err
			}
			passed, failures, broken := 0, 0, false
			for _, name := range files {
				s, err := scenarios.Load(name, cmd.InOrStdin(), nil)
				if err == nil && s.Doc.Expect == nil {
					err = fmt.Errorf("%s: has no expect block: there is nothing to check", name)
				}
				if err != nil {
					fmt.Fprintln(io.err, err)
					broken = true
					failures++
					continue
				}
				c, err := s.Check(debug)
				if err != nil {
					fmt.Fprintf(io.out, "%s: %v\n", name, err)
					failures++
					continue
				}
				if c.Passed+len(c.Failures) == 0 {
					fmt.Fprintf(io.err, "%s: its expect block is empty: there is nothing to check\n", name)
					broken = true
					failures++
					continue
				}
				passed += c.Passed
				failures += len(c.Failures)
				for _, f := range c.Failures {
					fmt.Fprintf(io.out, "%s: %s: wanted %s, got %s\n", name, f.What, f.Wanted, f.Got)
				}
			}
			fmt.Fprintf(io.out, "%d passed, %d failed\n", passed, failures)
			switch {
			case broken:
				return errSilent
			case failures > 0:
				return failed{errSilent}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&debug, "debug", false, "recompute every index after each round and compare (slow)")
	return cmd
}

// scenarioFiles lists the scenarios of paths; folders are walked in order of
// name.
func scenarioFiles(paths []string) ([]string, error) {
	var files []string
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil || !info.IsDir() {
			files = append(files, p) // Load says what is wrong with it
			continue
		}
		n := len(files)
		err = filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml")) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("looking for scenarios: %w", err)
		}
		if len(files) == n {
			return nil, fmt.Errorf("%s holds no scenario (.yaml)", p)
		}
	}
	return files, nil
}
