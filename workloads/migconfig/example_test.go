package migconfig_test

import (
	"fmt"

	"gpusim/hardware/mig"
	"gpusim/workloads/migconfig"
)

func Example() {
	f, err := migconfig.Read("parts.yaml", []byte(`version: v1
mig-configs:
  halves:
  - devices: [1]
    mig-enabled: true
    mig-devices: {"3g.20gb": 1, "4g.20gb": 1}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	entries, _ := f.Select("halves")
	tables, _ := mig.Load()
	d, _ := tables.Find("A100-SXM4-40GB")
	node, faults := d.Partition(entries, 2)
	fmt.Println(node[1].Instances, faults)
	_, err = f.Select("quarters")
	fmt.Println(err)
	// Output:
	// [{{4g.20gb 0} 1 4} {{3g.20gb 4} 2 4}] []
	// parts.yaml:3:3: there is no configuration "quarters"; the file has halves
}
