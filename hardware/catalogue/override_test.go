package catalogue

import (
	"strings"
	"testing"
)

func TestOverrides(t *testing.T) {
	old := load(t)
	c, err := old.With([]Override{
		{ID: "t4", Figures: map[string]string{"tdp_w": "75", "idle_w": ""}, Source: "our meter"},
		{ID: "V100-SXM3-32GB", Like: "V100-SXM2-32GB", Figures: map[string]string{"tdp_w": "350"}},
		{ID: "X1", Figures: map[string]string{"sm_or_cu": "10"}},
	}, []Override{
		{ID: "dgx-2", Figures: map[string]string{"gpu": "V100-SXM3-32GB"}},
		{ID: "mine", Like: "dgx-a100", Figures: map[string]string{"memory_gib": "1024.5", "cpu_cores": ""}},
		{ID: "box", Figures: map[string]string{"gpus": "0"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t4, _ := c.GPU("Tesla T4")
	if v := t4.Get("tdp_w"); v.Text != "75" || v.Status != Given || v.Source != "given by the user: our meter" {
		t.Errorf("%+v", v)
	}
	if v := t4.Get("idle_w"); v.Known || v.Source != "" {
		t.Errorf("made unknown: %+v", v)
	}
	if v := t4.Get("sm_or_cu"); v.Status != Read {
		t.Errorf("what is not changed keeps its source: %+v", v)
	}
	sxm3, _ := c.GPU("v100-sxm3-32gb")
	if w, _ := sxm3.Number("tdp_w"); w != 350 || sxm3.Name != "" || sxm3.Get("sm_or_cu").Text != "80" {
		t.Errorf("%+v", sxm3)
	}
	if g, _ := c.GPU("Tesla V100-SXM2-32GB"); g.ID != "V100-SXM2-32GB" {
		t.Errorf("the copy took the name of %s", g.ID)
	}
	if x, _ := c.GPU("X1"); x.Get("tdp_w").Known || x.Get("sm_or_cu").Text != "10" {
		t.Errorf("%+v", x)
	}
	if n, _ := c.NodeType("dgx-2"); n.GPU != "V100-SXM3-32GB" || n.GPUs != 16 {
		t.Errorf("%+v", n)
	}
	if n, _ := c.NodeType("mine"); n.Memory != 1024<<30+1<<29 || n.CPUMilli != -1 || n.GPUs != 8 {
		t.Errorf("%+v", n)
	}
	if n, _ := c.NodeType("dgx-a100-80gb"); n.Name != "dgx-a100" {
		t.Errorf("the copy took the alias of %s", n.Name)
	}
	if n, _ := c.NodeType("box"); n.GPUs != 0 || n.Memory != -1 {
		t.Errorf("%+v", n)
	}
	// The old catalogue is as it was.
	if g, _ := old.GPU("T4"); g.Get("tdp_w").Text != "70" || len(old.GPUs()) != 30 || len(old.NodeTypes()) != 7 {
		t.Error("the old catalogue has changed")
	}
	if _, ok := old.GPU("X1"); ok {
		t.Error("the old catalogue knows X1")
	}
}

func TestBadOverrides(t *testing.T) {
	c := load(t)
	for want, o := range map[string]Override{
		"tdp_w must be a number":                          {ID: "T4", Figures: map[string]string{"tdp_w": "much"}},
		"tdp_w must be above 0, not 0; leave it empty":    {ID: "T4", Figures: map[string]string{"tdp_w": "0"}},
		"must be above 0, not -5":                         {ID: "T4", Figures: map[string]string{"tdp_w": "-5"}},
		"GPU T4: unknown figure \"tpd_w\"; did you mean":  {ID: "T4", Figures: map[string]string{"tpd_w": "5"}},
		"id cannot be changed":                            {ID: "T4", Figures: map[string]string{"id": "T5"}},
		"GPU new: unknown GPU \"T44\"; did you mean T4":   {ID: "new", Like: "T44"},
		"GPU T4: only a new entry can be like another":    {ID: "T4", Like: "A10"},
		"it has no id":                                    {},
		"two entries of the catalogue are named tesla t4": {ID: "new", Figures: map[string]string{"smi_name": "Tesla T4"}},
	} {
		if _, err := c.With([]Override{o}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for want, o := range map[string]Override{
		"node type new: gpus must be a whole number, not \"\"":      {ID: "new"},
		"node type dgx-2: gpus must be a whole number, not \"1.5\"": {ID: "dgx-2", Figures: map[string]string{"gpus": "1.5"}},
		"node type dgx-2: memory_gib: \"1e30GiB\" is out of range":  {ID: "dgx-2", Figures: map[string]string{"memory_gib": "1e30"}},
		"node type dgx-2: unknown figure \"cores\"":                 {ID: "dgx-2", Figures: map[string]string{"cores": "5"}},
		"node type dgx-2: only a new entry can be like":             {ID: "dgx-2", Like: "dgx-1v"},
		"node type new: unknown node type \"dgx\"":                  {ID: "new", Like: "dgx"},
	} {
		if _, err := c.With(nil, []Override{o}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
