package model2vec

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"os"
	"slices"
)

// mostHeader bounds the header of a file of tensors, in bytes.
const mostHeader = 1 << 24

// tensor is an entry of the header.
type tensor struct {
	Type    string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// sizes are those of a number, in bytes.
var sizes = map[string]int64{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I8": 1, "U8": 1, "I16": 2, "I32": 4, "I64": 8}

// tensors is an open file of the format safetensors: the length of the header (uint64), the
// header as JSON, and the numbers, little-endian.
type tensors struct {
	*os.File
	path string
	at   int64 // where the numbers begin
	all  map[string]tensor
}

func openTensors(path string) (*tensors, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault(path, "cannot be opened")
	}
	t := &tensors{File: f, path: path}
	if err := t.header(); err != nil {
		f.Close()
		return nil, err
	}
	return t, nil
}

func (t *tensors) header() error {
	info, err := t.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return fault(t.path, "is not a regular file")
	}
	var head [8]byte
	if _, err := io.ReadFull(t, head[:]); err != nil {
		return fault(t.path, "the file ends inside the header")
	}
	length := binary.LittleEndian.Uint64(head[:])
	if length < 2 || length > mostHeader || int64(length) > info.Size()-8 {
		return fault(t.path, "a header of %d bytes, want 2 to %d inside a file of %d: the file is damaged", length, mostHeader, info.Size())
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(t, data); err != nil {
		return fault(t.path, "the file ends inside the header")
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		return fault(t.path, "the header is not a JSON object: the file is damaged")
	}
	t.at, t.all = 8+int64(length), map[string]tensor{}
	var spans [][2]int64
	for name, entry := range entries {
		if name == "__metadata__" {
			continue
		}
		var one tensor
		if err := json.Unmarshal(entry, &one); err != nil {
			return fault(t.path, "the tensor %.40q is not described: the file is damaged", name)
		}
		t.all[name] = one
		spans = append(spans, one.Offsets)
	}
	slices.SortFunc(spans, func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
	end := int64(0)
	for _, s := range spans {
		if s[0] != end || s[1] < s[0] {
			return fault(t.path, "the tensors overlap or leave a gap at byte %d: the file is damaged", end)
		}
		end = s[1]
	}
	if end != info.Size()-t.at {
		return fault(t.path, "%d bytes of numbers, want %d: the file is cut off or damaged", info.Size()-t.at, end)
	}
	return nil
}

// find returns the tensor of the first name that the file has, nil for none.
func (t *tensors) find(names ...string) (*tensor, error) {
	for _, name := range names {
		one, ok := t.all[name]
		if !ok {
			continue
		}
		size, ok := sizes[one.Type]
		if !ok {
			return nil, fault(t.path, "the tensor %s has numbers of the type %.20q, which is not supported", name, one.Type)
		}
		left := one.Offsets[1] - one.Offsets[0]
		if left%size != 0 {
			return nil, fault(t.path, "the tensor %s does not have the size of its shape: the file is damaged", name)
		}
		left /= size
		count := int64(1)
		for _, n := range one.Shape {
			if n < 1 || count > left/n {
				return nil, fault(t.path, "the tensor %s does not have the size of its shape: the file is damaged", name)
			}
			count *= n
		}
		if count != left {
			return nil, fault(t.path, "the tensor %s does not have the size of its shape: the file is damaged", name)
		}
		return &one, nil
	}
	return nil, nil
}

// column returns a tensor that has one number for each token, nil if there is none.
func (t *tensors) column(name string, tokens int) ([]float64, error) {
	one, err := t.find(name)
	if one == nil || err != nil {
		return nil, err
	}
	if len(one.Shape) != 1 || one.Shape[0] != int64(tokens) {
		return nil, fault(t.path, "the tensor %s has not one number for each of the %d tokens", name, tokens)
	}
	return t.read(one)
}

// read returns the numbers of a tensor.
func (t *tensors) read(one *tensor) ([]float64, error) {
	data := make([]byte, one.Offsets[1]-one.Offsets[0])
	if _, err := t.ReadAt(data, t.at+one.Offsets[0]); err != nil {
		return nil, fault(t.path, "cannot be read")
	}
	size := int(sizes[one.Type])
	out := make([]float64, len(data)/size)
	for i := range out {
		out[i] = number(one.Type, data[i*size:])
	}
	return out, nil
}

func number(kind string, b []byte) float64 {
	switch kind {
	case "F64":
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case "F32":
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case "F16":
		return half(binary.LittleEndian.Uint16(b))
	case "BF16":
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
	case "I8":
		return float64(int8(b[0]))
	case "I16":
		return float64(int16(binary.LittleEndian.Uint16(b)))
	case "I32":
		return float64(int32(binary.LittleEndian.Uint32(b)))
	case "I64":
		return float64(int64(binary.LittleEndian.Uint64(b)))
	}
	return float64(b[0]) // U8
}

// half returns the number of 16 bits of IEEE 754.
func half(bits uint16) float64 {
	sign, exponent, fraction := 1.0, int(bits>>10&31), float64(bits&1023)
	if bits>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}
