package text

import "io"

// parts cuts a stream. It does not parse records: a malformed one is found when its
// part is read. A byte order mark is dropped.
type parts struct {
	stream *stream
	number int
}

func (p *parts) Next() (Part, error) {
	read, err := p.stream.next()
	if err != nil && (err != io.EOF || len(read.Data) == 0 && p.number > 0) {
		return Part{}, err
	}
	part := Part{Number: p.number, Line: read.Line, Header: p.stream.header, Data: read.Data}
	p.number++
	return part, nil
}
