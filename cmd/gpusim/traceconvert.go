package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gpusim/workloads/trace"
)

func traceConvertCommand(io streams) *cobra.Command {
	var format, to, out string
	var opts []string
	var force bool
	cmd := &cobra.Command{
		Use:     "convert FILE...",
		Short:   "Write the jobs of a trace in another format",
		Long:    "convert reads a trace and writes its jobs, on the clock of a run (from the first\nsubmission on, unless --opt shift=keep), in another format. What is set aside on\nreading and what the other format has no words for is counted on standard error.\nThe file appears whole or not at all.",
		Example: "  gpusim trace convert log.swf --format swf --to native -o jobs.csv\n  gpusim trace convert pods.csv --format openb --to swf -o pods.swf",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("convert needs a FILE; see gpusim trace convert --help")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if format == "" {
				return missingFormat(args[0])
			}
			if out == "" {
				return errors.New("convert needs -o OUT, the file to write")
			}
			if err := oneOf("to", to, trace.Targets()...); err != nil {
				return err
			}
			opt, err := traceOptions(opts)
			if err != nil {
				return err
			}
			t, err := trace.Open(format, args, opt)
			if err != nil {
				return err
			}
			losses, err := trace.Losses(t, to)
			if err != nil {
				return err
			}
			if err := writeWhole(out, force, func(f *os.File) error { return trace.Convert(t, to, f) }); err != nil {
				return err
			}
			for _, i := range t.Report().Issues {
				fmt.Fprintf(io.err, "%d %s: %s\n", i.Count, i.Action, i.Reason)
			}
			for _, l := range losses {
				fmt.Fprintf(io.err, "%d jobs lose what %s has no words for: %s\n", l.Jobs, to, l.What)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "format of the trace: "+strings.Join(formatNames(), ", "))
	cmd.Flags().StringVar(&to, "to", "native", "format to write: "+strings.Join(trace.Targets(), ", "))
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write")
	cmd.Flags().StringArrayVar(&opts, "opt", nil, "an option of the reader: KEY=VALUE, such as limit=100 or columns.id=jobid")
	cmd.Flags().BoolVar(&force, "force", false, "replace the file if it exists")
	complete(cmd, "format", formatNames()...)
	complete(cmd, "to", trace.Targets()...)
	return cmd
}

// traceOptions reads the --opt flags, with all errors at once.
func traceOptions(opts []string) (trace.Options, error) {
	var opt trace.Options
	var errs []error
	for _, o := range opts {
		key, value, ok := strings.Cut(o, "=")
		if !ok || key == "" {
			errs = append(errs, fmt.Errorf("--opt %s: write KEY=VALUE, such as limit=100", o))
			continue
		}
		if err := opt.Set(key, value); err != nil {
			errs = append(errs, fmt.Errorf("--opt %s: %w", o, err))
		}
	}
	return opt, errors.Join(errs...)
}

// writeWhole writes a file beside its place and renames it at the end.
func writeWhole(path string, force bool, write func(*os.File) error) error {
	if _, err := os.Lstat(path); err == nil && !force {
		return fmt.Errorf("%s exists; choose another file, or replace it with --force", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".partial-*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer os.Remove(f.Name()) // nothing there once it is renamed
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := errors.Join(f.Chmod(0o644), f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
