package document_test

import (
	"fmt"

	"gpusim/hardware/units"
	"gpusim/workloads/document"
)

type cluster struct {
	Name  string `yaml:"name" required:"true" doc:"name of the cluster"`
	Nodes []node `yaml:"nodes" doc:"its nodes"`
}

type node struct {
	GPUs   int          `yaml:"gpus" required:"true" doc:"number of GPUs"`
	Memory *units.Bytes `yaml:"memory" doc:"memory; absent: not counted"`
}

func Example() {
	n, err := document.Parse("cluster.yaml", []byte(`name: a
nodes:
  - {gpus: 8, memory: 2TiB}
  - {gpu: 4, memory: 80}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var c cluster
	fmt.Println(document.Decode(n, &c))

	// The same document with a setting that puts it right.
	if err := n.Set("nodes[1]", "{gpus: 4}"); err != nil {
		fmt.Println(err)
	}
	c = cluster{}
	if err := document.Decode(n, &c); err != nil {
		fmt.Println(err)
	}
	out, _ := document.Marshal(c)
	fmt.Print(string(out))
	// Output:
	// cluster.yaml:4:5: nodes[1].gpus is missing
	// cluster.yaml:4:6: unknown key "nodes[1].gpu"; did you mean gpus? (known: gpus, memory)
	// cluster.yaml:4:22: nodes[1].memory: "80" has no unit; write an amount of memory like 80GiB, 512MiB or 40GB
	// name: a
	// nodes:
	//   - gpus: 8
	//     memory: 2TiB
	//   - gpus: 4
}
