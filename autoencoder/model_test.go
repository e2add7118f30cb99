package autoencoder

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

// untrained returns a model whose weights were drawn at random.
func untrained(t *testing.T) *Model {
	t.Helper()
	words := []string{unknown, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	w := over(small, make([]float32, small.count()))
	w.initialise(small, rand.New(rand.NewPCG(2, 2)))
	m, err := newModel(Card{Shape: small, Vocabulary: digest(words)}, words, w.all)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFileIsReadAsItWasWritten(t *testing.T) {
	m := untrained(t)
	data := m.Marshal()
	again, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Marshal(), data) || again.Table().Word(3) != "c" {
		t.Error("what is read is another model")
	}
	if !slices.Equal(again.Encode(nil, some), m.Encode(nil, some)) {
		t.Error("it reads sentences otherwise")
	}
}

// The words' own vectors, handed over as vectors, give the same latent vectors, and
// from these the loss is the network's own; another vector gives another.
func TestEncodeVectorsAgreesWithEncode(t *testing.T) {
	m := untrained(t)
	vectors := make([][]float32, len(some))
	for i, s := range some {
		for _, id := range s {
			vectors[i] = append(vectors[i], m.weights[int(id)*small.Embed:(int(id)+1)*small.Embed]...)
		}
	}
	want := m.Encode(nil, some)
	if !slices.Equal(m.EncodeVectors(nil, vectors), want) {
		t.Error("words' vectors give other latent vectors")
	}
	vectors[0][1]++
	if got := m.EncodeVectors(nil, vectors); slices.Equal(got[:small.Latent], want[:small.Latent]) || !slices.Equal(got[small.Latent:], want[small.Latent:]) {
		t.Error("one changed vector changes the wrong sentences")
	}
	if got, want := m.Loss(want, some), networkOf(m).mean(some); math.Abs(got-want) > 1e-6*want {
		t.Errorf("loss %g, want %g", got, want)
	}
}

// reseal gives changed bytes a checksum that fits.
func reseal(data []byte) []byte {
	body := data[:len(data)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(slices.Clone(body), sum[:]...)
}

func TestDamagedFilesAreRefusedInOneLine(t *testing.T) {
	data := untrained(t).Marshal()
	change := func(at int, to byte) []byte {
		c := slices.Clone(data)
		c[at] = to
		return c
	}
	notFinite := slices.Clone(data)
	binary.LittleEndian.PutUint32(notFinite[len(data)-sha256.Size-4:], math.Float32bits(float32(math.NaN())))
	otherWord := bytes.Replace(slices.Clone(data), []byte(`"words":["\u003cunk\u003e","a"`), []byte(`"words":["\u003cunk\u003e","z"`), 1)
	for says, bad := range map[string][]byte{
		"not a file of this version":      change(18, '2'),
		"damaged or cut off":              data[:len(data)-1],
		"the checksum does not match":     change(len(data)/2, ^data[len(data)/2]),
		"its header cannot be read":       reseal(change(len(modelMagic)+5, 0xff)),
		"a weight is not a finite number": reseal(notFinite),
		"bytes of weights":                reseal(slices.Delete(slices.Clone(data), len(data)-sha256.Size-4, len(data)-sha256.Size)),
		"the words are not those":         reseal(otherWord),
	} {
		if _, err := Read(bad); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %s", err, says)
		}
	}
}

func FuzzRead(f *testing.F) {
	s := Shape{Words: 2, Embed: 1, Hidden: 1, Latent: 1, Tokens: 1}
	words := []string{unknown, "a"}
	m, err := newModel(Card{Shape: s, Vocabulary: digest(words)}, words, make([]float32, s.count()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.Marshal()[:len(m.Marshal())-sha256.Size])
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body)
		m, err := Read(append(slices.Clone(body), sum[:]...))
		if err == nil {
			m.Decode(m.Encode(nil, [][]embedding.ID{{0}}), 1)
		}
	})
}

// A latent vector stays within the ball and is the same alone, among others, and
// in any order; an empty sentence has one too.
func TestEncodeDoesNotDependOnTheBatch(t *testing.T) {
	m := untrained(t)
	k := m.Dimensions()
	together := m.Encode(nil, some)
	for i, s := range some {
		v := together[i*k : (i+1)*k]
		if !slices.Equal(v, m.Encode(nil, [][]embedding.ID{s})) {
			t.Errorf("sentence %d is another alone", i)
		}
		if length(v) > small.radius()*(1+1e-6) {
			t.Errorf("sentence %d has length %g", i, length(v))
		}
	}
	written := m.Decode(together, 1)
	for i := range some {
		if !slices.Equal(written[i], m.Decode(together[i*k:(i+1)*k], 1)[0]) {
			t.Errorf("vector %d is written otherwise alone", i)
		}
	}
}

// sureness returns the logarithm of a sentence's probability given a latent vector,
// step by step through the decoder.
func sureness(n *network[float32], latent []float32, words []embedding.ID) float64 {
	s := n.shape
	d := n.begin(latent)
	before, total := s.begin(), 0.0
	for i := 0; i <= len(words); i++ {
		scores := d.step([]int32{before})
		target := s.end()
		if i < len(words) {
			target = int32(words[i])
		}
		top := most(scores)
		score := float64(scores[target] - top)
		total += score - math.Log(exponentials(scores, top))
		before = target
	}
	return total
}

// Over few words and short sentences the widest beam finds the most probable
// sentence of all, which enumeration names; a greedy one is no more probable.
func TestWideBeamFindsTheMostProbableSentence(t *testing.T) {
	s := Shape{Words: 3, Embed: 3, Hidden: 3, Latent: 2, Tokens: 3}
	rng := rand.New(rand.NewPCG(4, 4))
	better := 0
	for range 20 {
		w := over(s, make([]float32, s.count()))
		w.initialise(s, rng)
		for i := range w.all {
			w.all[i] *= 3
		}
		m, err := newModel(Card{Shape: s}, []string{unknown, "a", "b"}, w.all)
		if err != nil {
			t.Fatal(err)
		}
		latent := []float32{float32(rng.NormFloat64()), float32(rng.NormFloat64())}
		n := newNetwork(s, w, 1)
		var best []embedding.ID
		top := math.Inf(-1)
		sentences := [][]embedding.ID{nil}
		for i := 0; i < len(sentences); i++ {
			if p := sureness(n, latent, sentences[i]); p > top {
				best, top = sentences[i], p
			}
			if len(sentences[i]) < s.Tokens {
				for word := range s.Words {
					sentences = append(sentences, append(slices.Clip(sentences[i]), embedding.ID(word)))
				}
			}
		}
		if got := m.Decode(latent, 27)[0]; !slices.Equal(got, best) {
			t.Fatalf("the beam wrote %v, %v is more probable", got, best)
		}
		greedy := m.Decode(latent, 1)[0]
		if len(greedy) < s.Tokens && sureness(n, latent, greedy) < top-1e-6 {
			better++
		}
	}
	if better == 0 {
		t.Error("greedy writing was the best every time: the test shows nothing")
	}
}

func TestRouge1CountsWordsAsOftenAsTheyOccur(t *testing.T) {
	for _, c := range []struct {
		words, reference string
		want             float64
	}{
		{"a b c", "a b c", 1}, {"a b", "c d", 0}, {"a a b", "a b b", 2.0 / 3}, {"", "", 1}, {"", "a", 0},
		{"<unk> a", "<unk> a", 0.5}, {"a", "a b c", 0.5},
	} {
		if got := Rouge1(strings.Fields(c.words), strings.Fields(c.reference)); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%q against %q: %g, want %g", c.words, c.reference, got, c.want)
		}
	}
}

func TestVocabularyIsTheCorpussOwn(t *testing.T) {
	texts := [][]byte{[]byte("Don't go there, it's 1,234 miles!"), []byte("go there: example.com"), []byte("we've _num_ don't")}
	got := strings.Join(common(texts, 9, 1), " ")
	if want := "<unk> do go not there ! , . :"; got != want {
		t.Errorf("words %q, want %q", got, want)
	}
	if got := strings.Join(common(texts, 100, 2), " "); got != "<unk> do go not there" {
		t.Errorf("words that occur twice: %q", got)
	}
}
