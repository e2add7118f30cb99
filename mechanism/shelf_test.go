package mechanism

import (
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
	"pgregory.net/rapid"
)

// Whatever is put and met, a shelf holds what it last put for a word or nothing,
// and never more than its room.
func TestAShelfKeepsWithinItsRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, room := rapid.IntRange(1, 12).Draw(t, "words"), rapid.IntRange(0, 60).Draw(t, "room")
		s := newShelf(n, 10, room, func(v *int) int { return *v })
		put := map[embedding.ID]*int{}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			x := embedding.ID(rapid.IntRange(0, n-1).Draw(t, "word"))
			if got := s.get(x); got != nil && got != put[x] {
				t.Fatalf("word %d has %d, not what was put", x, *got)
			} else if got == nil && put[x] != nil && 10*n <= room {
				t.Fatalf("word %d was dropped where all fit", x)
			}
			if rapid.Bool().Draw(t, "put") {
				size := rapid.IntRange(1, 10).Draw(t, "size")
				put[x] = &size
				s.put(x, &size)
			}
			sum := 0
			for y := range n {
				if v := s.held[y].Load(); v != nil {
					sum += *v
				}
			}
			if sum > room && 10*n > room {
				t.Fatalf("it holds %d in a room of %d", sum, room)
			}
		}
	})
}

// What is met at every turn stays, whatever else passes through.
func TestAShelfKeepsWhatIsMet(t *testing.T) {
	s := newShelf(1000, 1, 10, func(*int) int { return 1 })
	v := 1
	s.put(0, &v)
	for x := embedding.ID(1); x < 1000; x++ {
		if s.get(0) == nil {
			t.Fatalf("the word met at every turn was dropped for word %d", x)
		}
		s.put(x, &v)
	}
}

// With room for a few rows only, channels draw the same words from the same
// randomness, from many goroutines too.
func TestDrawsDoNotDependOnWhatIsKept(t *testing.T) {
	table := randomTable(t, 300, 4)
	words := make([]embedding.ID, 500)
	rng := noise.Seeded(3, 4)
	for i := range words {
		words[i] = embedding.ID(noise.Below(rng, 300))
	}
	for name, parameters := range map[string]map[string]string{"exponential": nil, "neighbours": {"neighbours": strconv.Itoa(40)}} {
		t.Run(name, func(t *testing.T) {
			open := func(room int) Channel {
				entry, _ := Find(name)
				m, err := entry.New(t.Context(), table, Spec{Epsilon: 3, Published: true, Parameters: parameters})
				if err != nil {
					t.Fatal(err)
				}
				switch c := m.(type) {
				case *distanceChannel:
					c.rows = newShelf(300, c.rows.size(&row{heads: make([]uint32, headLimit)}), room, c.rows.size)
				case *twoLevel:
					c.sets = newShelf(300, membersBytes(300), room, c.sets.size)
				default:
					t.Fatalf("%T has no shelf", m)
				}
				return m.(Channel)
			}
			want, err := open(shelfBytes).Replace(nil, words, noise.Seeded(5, 6))
			if err != nil {
				t.Fatal(err)
			}
			for _, room := range []int{0, 500, 5000} {
				m := open(room)
				var group sync.WaitGroup
				for range 4 {
					group.Go(func() {
						m.(Preparer).Prepare(t.Context(), words[:200])
						got, err := m.Replace(nil, words, noise.Seeded(5, 6))
						if err != nil || !slices.Equal(got, want) {
							t.Errorf("with room for %d bytes other words are drawn: %v", room, err)
						}
					})
				}
				group.Wait()
			}
		})
	}
}
