package additive

import "testing"

// Each component is the product of its row with the vector, summed in one order however
// many components there are: images of single precision must stay what was certified.
func TestAComponentOfAnImageIsThatOfItsRowAlone(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {7, 3}, {8, 4}, {25, 9}, {300, 50}} {
		p := NewProjection(size[0], size[1], 5)
		v, image := make([]float32, p.In), make([]float64, p.Out)
		for i := range v {
			v[i] = float32(i%13) - 5.3
		}
		p.Apply(image, v)
		for i, got := range image {
			row, alone := Projection{p.In, 1, p.Entries[i*p.In:][:p.In]}, make([]float64, 1)
			row.Apply(alone, v)
			if got != alone[0] {
				t.Errorf("%v: component %d is %v, alone %v", size, i, got, alone[0])
			}
		}
	}
}
