package topology_test

import (
	"fmt"

	"gpusim/hardware/topology"
)

func Example() {
	n, err := topology.Read("topo.txt", `
        GPU0    GPU1    GPU2    GPU3    mlx5_0  CPU Affinity
GPU0     X      NV4     SYS     SYS     PIX     0-15
GPU1    NV4      X      SYS     SYS     NODE    0-15
GPU2    SYS     SYS      X      PHB     SYS     16-31
GPU3    SYS     SYS     PHB      X      SYS     16-31
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n.Pick(2, []int{0}))
	fmt.Println(n.Ring(), n.NearestNIC(1), n.GPUs[2].CPUs)
	_, err = topology.Read("topo.txt", "  GPU0 GPU1\nGPU0 X NV4\nGPU1 SYS X\n")
	fmt.Println(err)
	// Output:
	// [2 3] PHB <nil>
	// [0 1 2 3] mlx5_0 16-31
	// topo.txt: the matrix contradicts itself: row GPU0, column GPU1 says NV4 (line 2), but row GPU1, column GPU0 says SYS (line 3)
}
