package mig_test

import (
	"fmt"

	"gpusim/hardware/mig"
)

func Example() {
	tables, err := mig.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	d, _ := tables.Find("NVIDIA A100-SXM4-40GB")
	fmt.Println(len(d.Maximal(d.Core())), "maximal sets")

	// Two small instances at the low end are in the way of the widest.
	exist := []mig.Instance{{Profile: "2g.10gb", Start: 0}, {Profile: "1g.5gb", Start: 2}}
	fmt.Println(d.Draw(exist), "4g.20gb at", d.Starts(exist, "4g.20gb"), "3g.20gb at", d.Starts(exist, "3g.20gb"))

	set, _ := d.Place([]mig.Count{{Profile: "1g.5gb", N: 1}, {Profile: "2g.10gb", N: 3}})
	fmt.Println(d.Draw(set))
	_, err = d.Place([]mig.Count{{Profile: "3g.20gb", N: 2}, {Profile: "1g.5gb", N: 1}})
	fmt.Println(err)
	// Output:
	// 19 maximal sets
	// |2g     |1g |   |   |   |   |   | 4g.20gb at [] 3g.20gb at [4]
	// |2g     |2g     |2g     |1g |   |
	// 2 x 3g.20gb (4 each) and 1 x 1g.5gb (1 each) want 9 memory slices; a GPU has 8 (compute slices: 7 of 7)
}
