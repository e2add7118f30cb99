package embedding

// SquaredDistances32 is SquaredDistances with 32-bit results, for tables on an
// int8 grid; false, and nothing written, for others.
func (t *Table) SquaredDistances32(dst []uint32, xs []ID, from, to int) bool {
	if t.narrow == nil {
		return false
	}
	for i, x := range xs {
		row := dst[i*(to-from) : (i+1)*(to-from)]
		for j := range row {
			row[j] = uint32(t.SquaredDistance(x, ID(from+j)))
		}
	}
	return true
}
