package units_test

import (
	"fmt"

	"gpusim/hardware/units"
	"gpusim/sim/event"
)

func Example() {
	d, _ := units.ParseDuration("1.5h")
	fmt.Println(units.Duration(d), string(units.FormatSeconds(nil, d)))

	m, _ := units.ParseBytes("1.5TiB")
	fmt.Println(units.Bytes(m), m)

	_, err := units.ParseBytes("80")
	fmt.Println(err)

	fmt.Println(units.SecondsFloat(20500 * event.Millisecond))
	// Output:
	// 1h30m 5400
	// 1536GiB 1649267441664
	// "80" has no unit; write an amount of memory like 80GiB, 512MiB or 40GB
	// 20.5
}
