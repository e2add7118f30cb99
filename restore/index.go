package restore

// index numbers keys in the order in which they come. A position has few, so a small table
// finds them.
type index struct {
	table []int32 // of hashes: 1 + a number; half of it is empty
	keys  []uint64
}

func (x *index) reset() {
	clear(x.table)
	x.keys = x.keys[:0]
}

// slot returns where the table has a key, or where it would be.
func (x *index) slot(key uint64) *int32 {
	last := len(x.table) - 1
	for at := int(key*0x9e3779b97f4a7c15>>32) & last; ; at = (at + 1) & last {
		if n := x.table[at]; n == 0 || x.keys[n-1] == key {
			return &x.table[at]
		}
	}
}

// find returns the number of a key, -1 for one that did not come.
func (x *index) find(key uint64) int32 {
	if len(x.keys) == 0 {
		return -1
	}
	return *x.slot(key) - 1
}

// number returns the number of a key, and whether it came before.
func (x *index) number(key uint64) (n int32, came bool) {
	if 2*len(x.keys) >= len(x.table) {
		x.table = make([]int32, max(64, 2*len(x.table)))
		for i, key := range x.keys {
			*x.slot(key) = int32(i + 1)
		}
	}
	slot := x.slot(key)
	if *slot == 0 {
		x.keys = append(x.keys, key)
		*slot = int32(len(x.keys))
		return *slot - 1, false
	}
	return *slot - 1, true
}
