package order

import "testing"

// The worked example: services 4, 8 and 12, steps of 4.
func TestGittinsIndex(t *testing.T) {
	for a, want := range map[float64]float64{0: 1.0 / 12, 4: 1.0 / 8, 8: 1.0 / 4, 12: 0} {
		if got := GittinsIndex([]float64{4, 8, 12}, a, 4); got != want {
			t.Errorf("attained %v: %v, want %v", a, got, want)
		}
	}
}
