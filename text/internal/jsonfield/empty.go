package jsonfield

// frame is a JSON document that holds texts and nothing else.
type frame struct {
	key   string // within an object; everyElement within a list
	inner []*frame
	text  bool
}

// Empty returns a document with a text at each path, in the pieces around them.
func Empty(paths []Path) [][]byte {
	var root frame
	for _, p := range paths {
		root.add(p.steps)
	}
	return root.write([][]byte{nil})
}

func (f *frame) add(steps []string) {
	if len(steps) == 0 {
		f.text = len(f.inner) == 0
		return
	}
	if f.text {
		return
	}
	for _, in := range f.inner {
		if in.key == steps[0] {
			in.add(steps[1:])
			return
		}
	}
	if len(f.inner) > 0 && (steps[0] == everyElement || f.inner[0].key == everyElement) {
		return // a list is not an object
	}
	in := &frame{key: steps[0]}
	f.inner = append(f.inner, in)
	in.add(steps[1:])
}

// write appends to the last of the pieces, and begins a new one after each text.
func (f *frame) write(pieces [][]byte) [][]byte {
	put := func(s ...byte) { pieces[len(pieces)-1] = append(pieces[len(pieces)-1], s...) }
	if f.text {
		return append(pieces, nil)
	}
	list := f.inner[0].key == everyElement
	begin, end := byte('{'), byte('}')
	if list {
		begin, end = '[', ']'
	}
	put(begin)
	for i, in := range f.inner {
		if i > 0 {
			put(',')
		}
		if !list {
			put(append(Append(nil, []byte(in.key)), ':')...)
		}
		pieces = in.write(pieces)
	}
	put(end)
	return pieces
}
