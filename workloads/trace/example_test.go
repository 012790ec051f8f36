package trace_test

import (
	"fmt"
	"io"

	"gpusim/workloads/trace"
)

// Open a log, see what was set aside, and take its jobs in order of time.
func Example() {
	tr, err := trace.Open("native", []string{"testdata/native.csv"}, trace.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	rep := tr.Report()
	fmt.Println(rep.Records, "records,", rep.Accepted, "jobs,", rep.GPUSeconds, "GPU-seconds")
	for _, i := range rep.Issues[:2] {
		fmt.Println(i.Action, i.Count, i.Reason)
	}
	jobs, err := tr.Jobs()
	if err != nil {
		fmt.Println(err)
		return
	}
	for {
		j, err := jobs.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(j.ID, j.Submit, j.Duration, j.GPUs, j.Share)
	}
	// Output:
	// 8 records, 3 jobs, 249.5 GPU-seconds
	// rejected 1 duplicate-id
	// rejected 1 not-a-number
	// a 0 60500000000 4 1000
	// c 5000000000 10000000000 0 1000
	// b 10000000000 30000000000 1 250
}
