package synthesis

import (
	"crypto/sha256"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/internal/username"
)

// MaxText is the length of the longest text that votes for a cluster, in bytes.
const MaxText = 1 << 20

// OtherUser is the user of all records without a user.
const OtherUser = username.Other

// Record is a private record. Every value is valid.
type Record struct {
	Text []byte
	// Labels has a value for each column of the plan; nil if the record has none.
	Labels [][]byte
	// User names the user if the claim is for users. Nil and empty mean OtherUser.
	User []byte
	// Vector is the record's own vector, if Options.Brought is set.
	Vector []float64
}

// Votes are the votes of some records, in order. They are exact and private.
type Votes struct {
	rows     []vote
	clusters []uint32 // of row i in clustering k at i*clusterings + k
}

type vote struct {
	label int32 // other is -1
	far   bool
	user  [sha256.Size]byte
}

const other = -1

// Vote returns the votes of some records. Each vote is a function of its record and public
// data, and every record has one.
func (p *Plan) Vote(records []Record) *Votes {
	v := &Votes{rows: make([]vote, len(records)), clusters: make([]uint32, len(records)*len(p.clusterings))}
	dim := p.o.Corpus.Dim()
	var vectors []int8
	var places []int // of the records with a vector
	for i := range records {
		r := &records[i]
		v.rows[i].label = p.find(r.Labels)
		if p.ByUser() {
			v.rows[i].user = hashed(r.User)
		}
		if v.rows[i].label == other {
			continue
		}
		at := len(vectors)
		if vectors = p.encode(vectors, r); isZero(vectors[at:]) {
			v.rows[i].label, vectors = other, vectors[:at]
			continue
		}
		places = append(places, i)
	}
	if len(places) == 0 {
		return v
	}
	var found []uint32
	for k, c := range p.clusterings {
		found = c.Assign(found[:0], vectors)
		for j, i := range places {
			v.clusters[i*len(p.clusterings)+k] = found[j]
		}
	}
	var centre []int8
	reference := p.clusterings[p.reference]
	for j, i := range places {
		centre = reference.Centre(centre[:0], int(v.clusters[i*len(p.clusterings)+p.reference]))
		v.rows[i].far = score(vectors[j*dim:(j+1)*dim], centre) < p.far
	}
	return v
}

// find returns the number of the combination of labels, or other.
func (p *Plan) find(labels [][]byte) int32 {
	if len(labels) != len(p.o.Columns) {
		return other
	}
	number := 0
	for i := range p.o.Columns {
		place, ok := p.o.Columns[i].find(labels[i])
		if !ok {
			return other
		}
		number = number*len(p.o.Columns[i].values) + place
	}
	return int32(number)
}

// encode appends the vector of a record to dst, the zero vector where it has none.
func (p *Plan) encode(dst []int8, r *Record) []int8 {
	dim := p.o.Corpus.Dim()
	switch {
	case len(r.Text) == 0 || len(r.Text) > MaxText || !utf8.Valid(r.Text):
	case p.encoder != nil:
		return p.encoder.Encode(dst, r.Text)
	case len(r.Vector) == dim:
		return corpus.Quantize(dst, r.Vector)
	}
	return append(dst, make([]int8, dim)...)
}

// hashed is the key of a user: two users never have the same, as far as anybody knows.
func hashed(user []byte) [sha256.Size]byte {
	return sha256.Sum256([]byte(username.Of(string(user))))
}
