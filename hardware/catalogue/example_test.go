package catalogue_test

import (
	"fmt"

	"gpusim/hardware/catalogue"
)

func Example() {
	c, err := catalogue.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	g, _ := c.GPU("NVIDIA A100-SXM4-80GB")
	for _, name := range []string{"mem_bw_gbps", "tdp_w", "fp8_dense"} {
		v := g.Get(name)
		fmt.Printf("%s: %s %s (%s)\n", v.Name, v.Text, v.Unit, v.Status)
	}
	_, err = c.FindNodeType("dgx-h10")
	fmt.Println(err)
	// Output:
	// mem_bw_gbps: 2039 GB/s (memory)
	// tdp_w: 400 W (read)
	// fp8_dense:  TFLOPS ()
	// unknown node type "dgx-h10"; did you mean dgx-h100? (known: dgx-1v, dgx-2, dgx-a100-40gb, dgx-a100, dgx-h100, dgx-h200, dgx-b200)
}
