package wire

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
)

// SynthesizeRequest asks for a private copy of a corpus of records: public texts with
// labels, in noisy numbers. All fields except the records are public and must be chosen
// without looking at the records.
type SynthesizeRequest struct {
	Records   []SynthesizeRecord `json:"records" doc:"The private records. Whatever a record is, also one that is no object, it is no error; the names of its fields, the depth of the request, its encoding and its limits are checked as those of every request."`
	By        []SynthesizeColumn `json:"by,omitempty" doc:"The columns of labels."`
	Epsilon   *float64           `json:"epsilon" schema:"{\"type\":\"number\",\"format\":\"double\"}" doc:"Loss of a whole record with its labels, added or removed, or of all records of a user; no default."`
	Delta     float64            `json:"delta,omitempty" doc:"Allow this delta. With per_user Gaussian noise is used where it is smaller; for single records the noise is pure in any case."`
	Corpus    string             `json:"corpus,omitempty" doc:"Name of one of the server's corpora, whose texts come out; default: the first."`
	Expect    int                `json:"expect" doc:"About how many records there are: a constant, not a count of them."`
	Size      int64              `json:"size,omitempty" doc:"Texts to draw; default: the sum of the noisy counts, up to the server's limit."`
	PerUser   int                `json:"per_user,omitempty" doc:"Make the loss one for users: the first per_user records of each count."`
	FromModel bool               `json:"from_model,omitempty" doc:"Texts that the server's language model writes from the words of each cluster, instead of public texts: they may be false."`
	ModelSeed uint64             `json:"model_seed,omitempty" doc:"With from_model: public seed of its texts."`
	Account   Name               `json:"account,omitempty" doc:"Account of the ledger to charge before the draw."`
	Report    bool               `json:"report,omitempty" doc:"Add the privacy statement to the answer."`

	// The server refuses a seed; the fields exist so that the error can say so.
	Seed         json.RawMessage `json:"seed,omitempty" doc:"-"`
	InsecureSeed json.RawMessage `json:"insecure_seed,omitempty" doc:"-"`
}

// SynthesizeRecord is a private record.
type SynthesizeRecord struct {
	Text   Field  `json:"text"`
	Labels Fields `json:"labels,omitempty" doc:"A list with a value for each column of by. Records with another value or number of them, or with another JSON type in place of the list, count in a cell of their own and do not come out."`
	User   Field  `json:"user,omitempty" doc:"With per_user: names the user. Records without one are of one user."`
}

// AnyJSON implements [strictjson.Any]: a record reads and checks its own names.
func (*SynthesizeRecord) AnyJSON() {}

// UnmarshalJSON accepts any JSON: what is no object is a record without anything. The names of
// an object's fields are of the form of the request, and checked as those of others.
func (r *SynthesizeRecord) UnmarshalJSON(data []byte) error {
	*r = SynthesizeRecord{}
	if data[0] != '{' {
		return nil
	}
	type plain SynthesizeRecord // without this method
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode((*plain)(r)); err != nil {
		return err
	}
	return exact(data, (*plain)(r))
}

// SynthesizeColumn is a column of labels with its public values: a list, or bins.
type SynthesizeColumn struct {
	Name   string   `json:"name"`
	Values []string `json:"values,omitempty" doc:"The labels."`
	Bins   string   `json:"bins,omitempty" doc:"Ranges of numbers: 1..5 for whole numbers, 0..100/10 for ranges of width 10."`
}

// Column returns the column as a plan takes it.
func (c SynthesizeColumn) Column() (synthesis.Column, error) {
	var column synthesis.Column
	err := privacy.Wrong("serve", "by", "a column has both values and bins, or neither", "give each column one of the two")
	switch {
	case (c.Bins == "") == (len(c.Values) == 0):
		return column, err
	case c.Bins != "":
		column, err = synthesis.Bins(c.Name, c.Bins)
	default:
		column, err = synthesis.Labels(c.Name, c.Values...)
	}
	if err != nil { // its text quotes the request
		err = privacy.Bad("serve", "by", nil, fmt.Sprintf("columns with values that differ, or bins such as 1..5 or 0..100/10, at most %d of a column", synthesis.MaxLabels))
	}
	return column, err
}

// Field is a value of a record as text; nil where there is none. Any JSON is one.
type Field []byte

// AnyJSON implements [strictjson.Any].
func (*Field) AnyJSON() {}

// UnmarshalJSON accepts a string, a number, true or false. Anything else counts as no
// value.
func (f *Field) UnmarshalJSON(data []byte) error {
	*f = nil
	switch data[0] {
	case '"':
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		*f = append(Field{}, text...)
	case '{', '[', 'n':
	default:
		*f = append(Field{}, data...)
	}
	return nil
}

// Fields are the values of a list; none where there is no list.
type Fields []Field

// AnyJSON implements [strictjson.Any].
func (*Fields) AnyJSON() {}

// UnmarshalJSON accepts any JSON.
func (f *Fields) UnmarshalJSON(data []byte) error {
	*f = nil
	if data[0] != '[' {
		return nil
	}
	return json.Unmarshal(data, (*[]Field)(f))
}

// MarshalJSON writes a form in which different values differ, for the digest of a request.
func (f Field) MarshalJSON() ([]byte, error) {
	if f == nil {
		return []byte("null"), nil
	}
	return json.Marshal(string(f))
}

// SynthesizeResponse is a private copy.
type SynthesizeResponse struct {
	Rows         []SynthesizedRow     `json:"rows"`
	Claim        privacy.Claim        `json:"claim"`
	Counted      synthesis.Counted    `json:"counted" doc:"What the noisy counts count: records, or with Gaussian noise (a delta, and users) user-cells, distinct pairs of a user and a cell, of which there can be far fewer than records."`
	RecordsNoisy int64                `json:"records_noisy" doc:"Sum of the noisy counts of what counted says. The number of records appears nowhere."`
	Receipt      *Receipt             `json:"receipt" doc:"Null where no account was charged."`
	Statement    *synthesis.Statement `json:"statement,omitempty"`
}

// SynthesizedRow is a text with labels: a public text, or with from_model one that the
// model wrote.
type SynthesizedRow struct {
	Labels []string `json:"labels"`
	Text   string   `json:"text"`
}
