package table_test

import (
	"fmt"
	"os"
	"path/filepath"

	"gpusim/reports/table"
	"gpusim/sim/event"
)

func Example() {
	dir, _ := os.MkdirTemp("", "example")
	defer os.RemoveAll(dir)

	const id, wait, used, end = 0, 1, 2, 3
	schema := table.Schema{Name: "jobs", Columns: []table.Column{
		id:   {Name: "job_id", Kind: table.Text},
		wait: {Name: "wait_s", Unit: "s", Kind: table.Seconds},
		used: {Name: "used_gpu_s", Unit: "GPU-s", Kind: table.GPUSeconds},
		end:  {Name: "end_s", Unit: "s", Kind: table.Seconds, Nullable: true},
	}}
	sink, err := table.Open(dir, schema, []table.Format{table.CSV, table.Parquet})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := sink.Batch() // once a row
	b.Text(id, "train")
	b.Seconds(wait, 90*event.Second+500*event.Millisecond)
	b.GPUSeconds(used, 0, 7_200_000_000_000_001)
	b.Null(end) // it has not ended
	b.EndRow()
	if err := sink.Close(); err != nil {
		fmt.Println(err)
		return
	}

	text, _ := os.ReadFile(filepath.Join(dir, "jobs.csv"))
	fmt.Print(string(text))
	frame, err := table.Read(filepath.Join(dir, "jobs.parquet"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(frame.Text(used, 0), frame.IsNull(end, 0))
	// Output:
	// job_id,wait_s,used_gpu_s,end_s
	// train,90.5,7200.000000000001,
	// 7200.000000000001 true
}
