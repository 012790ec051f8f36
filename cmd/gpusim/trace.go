package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gpusim/scenarios"
	"gpusim/workloads/trace"
)

func traceCommand(io streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "trace",
		Short:   "Look into logs of real clusters",
		Example: "  gpusim trace inspect log.swf --format swf",
		Args:    none,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(traceInspectCommand(io), traceConvertCommand(io))
	return cmd
}

// inspection is what the flags of trace inspect ask for.
type inspection struct {
	paths  []string
	format string
	opts   []string
	output string
	jobs   bool
	on     string
}

func traceInspectCommand(io streams) *cobra.Command {
	var in inspection
	cmd := &cobra.Command{
		Use:   "inspect FILE...",
		Short: "Say what is in a trace: jobs, span, shapes, and every row set aside",
		Long: "inspect reads a trace, or several files on one clock, and says what became of\neach record. With --on the trace is held against the cluster of a scenario.\nThe keys of --opt are those beside path in workload.trace of a scenario.\n\nFormats:\n" +
			formatList(),
		Example: "  gpusim trace inspect log.swf --format swf\n  gpusim trace inspect pods.csv --format openb --on cluster.yaml --jobs\n  gpusim trace inspect jobs.csv --format csv --opt columns.submit=start --opt columns.duration=secs --opt columns.gpus=n --output json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("inspect needs a FILE; see gpusim trace inspect --help")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			in.paths = args
			return in.run(cmd, io)
		},
	}
	cmd.Flags().StringVar(&in.format, "format", "", "format of the trace: "+strings.Join(formatNames(), ", "))
	cmd.Flags().StringArrayVar(&in.opts, "opt", nil, "an option of the reader: KEY=VALUE, such as limit=100 or columns.id=jobid")
	cmd.Flags().BoolVar(&in.jobs, "jobs", false, "also list every record")
	cmd.Flags().StringVar(&in.on, "on", "", "a scenario whose cluster the trace is held against")
	addOutput(cmd, &in.output, "table", "json")
	complete(cmd, "format", formatNames()...)
	_ = cmd.RegisterFlagCompletionFunc("on", scenarioNames)
	return cmd
}

func (in *inspection) run(cmd *cobra.Command, io streams) error {
	if err := oneOf("output", in.output, "table", "json"); err != nil {
		return err
	}
	if in.format == "" {
		return missingFormat(in.paths[0])
	}
	opt, err := traceOptions(in.opts)
	if err != nil {
		return err
	}
	opt.Inspect = true
	var on *trace.Cluster
	if in.on != "" {
		s, err := scenarios.Load(in.on, cmd.InOrStdin(), nil)
		if err != nil {
			return fmt.Errorf("--on: %w", err)
		}
		on = traceCluster(s)
	}
	t, err := trace.Open(in.format, in.paths, opt)
	if err != nil {
		return err
	}
	r := inspected{Report: t.Report()}
	if on != nil {
		r.WithCluster(*on)
	}
	if r.Next, err = in.next(r.Report); err != nil {
		return err
	}
	if in.jobs {
		rows, err := t.JobRows(on)
		if err != nil {
			return err
		}
		r.Jobs = inspectedJobs(rows, on != nil)
	}
	if in.output == "json" {
		return printJSON(io.out, r)
	}
	return printInspected(io.out, &r)
}

// inspected is a report whose rows are there when they were asked for, and only
// then; so are the eligible nodes of a row.
type inspected struct {
	*trace.Report
	Jobs *[]inspectedJob `json:"jobs,omitempty"`
}

type inspectedJob struct {
	trace.JobRow
	Eligible *[]string `json:"eligible_nodes,omitempty"`
}

func inspectedJobs(rows []trace.JobRow, on bool) *[]inspectedJob {
	list := make([]inspectedJob, len(rows))
	for i := range rows {
		list[i].JobRow = rows[i]
		if on {
			list[i].Eligible = &rows[i].Eligible
		}
	}
	return &list
}

// traceCluster puts a scenario's machines into the words of package trace.
func traceCluster(s *scenarios.Scenario) *trace.Cluster {
	c := &trace.Cluster{}
	for _, n := range s.Spec.Nodes {
		c.Nodes = append(c.Nodes, trace.Node{Name: n.Name, GPUs: n.GPUs, GPUType: n.GPU, CPUMilli: max(0, n.CPUMilli), Memory: max(0, n.Memory)})
	}
	return c
}

func formatNames() []string {
	var names []string
	for _, f := range trace.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// formatOf is the format that a report was read by.
func formatOf(r *trace.Report) trace.Format {
	for _, f := range trace.Formats() {
		if f.Name == r.Format {
			return f
		}
	}
	return trace.Format{Name: r.Format}
}

// formatList is a line for each format.
func formatList() string {
	var lines []string
	for _, f := range trace.Formats() {
		lines = append(lines, fmt.Sprintf("  %-12s %s", f.Name, f.Doc))
	}
	return strings.Join(lines, "\n")
}

// missingFormat is the error for a trace without --format. A guess is only
// offered: taking it would hide a wrong one.
func missingFormat(path string) error {
	hint := ""
	if f := guessFormat(path); f != "" {
		hint = fmt.Sprintf("; %s looks like --format %s", path, f)
	}
	return fmt.Errorf("trace inspect needs --format%s. The formats are:\n%s", hint, formatList())
}
