package sotto

import "fmt"

func (p *retrieved) state(s *Statement, _ Counts) { p.stateAs(s, PoolOptions{}) }

// stateAs adds the guarantee for texts written with these options. The zero value means
// texts at the positions of the originals.
func (p *retrieved) stateAs(s *Statement, o PoolOptions) {
	levels := p.Levels()
	inside := levels.Inside * float64(levels.Size)
	s.Corpus, s.Neighbours, s.Inside = CorpusFiguresOf(p.corpus), &levels.Size, &inside
	if t := p.corpus.Card().Encoder.Table; t != nil {
		s.Embeddings = &Embeddings{Name: t.Name, Words: t.Words, Dimensions: t.Dimensions, SHA256: t.SHA256}
	}
	s.Tokens, s.LongestTokens = nil, nil
	s.Certificate = p.certificate
	s.total(s.Claim.Epsilon, 1)
	s.Claim = p.released()
	if p.perUser > 0 {
		s.Users = &UserFigures{PerUser: p.perUser, Padded: o.Padded}
	}
	s.NotProtected = append(unverified(s.NotProtected, p.certificate), p.open(o)...)
	declared := "its builder declared it public"
	if !p.corpus.Declared() {
		declared = "nobody declared it public"
	}
	s.NotProtected = append(s.NotProtected,
		fmt.Sprintf("the corpus %q: its %d texts come out as they are, none is a paraphrase of a private text; the claim takes it as public and chosen without the private texts, and %s", p.corpus.Name(), p.corpus.Len(), declared),
		unread(o), endedEarly,
		"the time the run took, memory, and who else holds the same text",
	)
	if p.encoder == nil {
		s.NotProtected = append(s.NotProtected, "the vectors of the texts: the claim assumes that the encoder that made them is public and reads one text at a time, which cannot be checked here")
	}
}

const (
	unreadRecords = unreadFields + "a null holds no text and is kept"
	unreadPooled  = unreadFields + "a null holds no text and is left out, or drawn for as the empty text if an account of records pays"
	unreadFields  = "that a record of a file could not be read as one of its format, or lacks the text's field: its text is drawn for like any other, and its other fields are left out, which shows; "
	endedEarly    = "that the run did not end early: a damaged file ends it, and so do CSV whose quotes do not match or stand inside a cell that does not begin with one, a row with another number of cells than the header where other columns are copied, a field that the file does not have and, where the run was told to fail on them, texts that are not UTF-8"
)

// unread says what becomes of records that could not be read, and of nulls.
func unread(o PoolOptions) string {
	if o == (PoolOptions{}) {
		return unreadRecords
	}
	return unreadPooled
}

// open lists what the order and the layout of the output do not protect.
func (p *retrieved) open(o PoolOptions) []string {
	var not []string
	switch {
	case o.Shuffled && o.Padded:
		not = append(not, fmt.Sprintf("the number of users: there are %d texts per user", p.perUser))
	case o.Padded:
		not = append(not, fmt.Sprintf("who the users are: the output has %d texts per user with the name, sorted by name", p.perUser))
	case o.Shuffled && p.perUser > 0:
		not = append(not, fmt.Sprintf("the total number of texts, which includes at most %d per user", p.perUser))
	case o.Shuffled:
		not = append(not, "the number of texts")
	default:
		not = append(not, "the number of texts, empty ones too, their order, and the line or field of each", besideWholeTexts)
		if p.perUser > 0 {
			not = append(not, fmt.Sprintf("who the users are and how many rows each has, up to %d: the field that names them is copied, and later rows of a user are left out, which shows their position", p.perUser))
		}
	}
	if o.Shuffled {
		not = append(not, "the shuffled figures hold only against a reader of the finished file: against anyone who sees rows arrive, another release of the same texts, or anything stored beside them, only the claim above holds")
	}
	if o.Padded {
		not = append(not, "the number of rows that were read: an account is charged for those and then for the texts that were added, so its entries show both")
	}
	if p.perUser > 0 {
		return append(not, "other runs over texts of the same users, and one person under several names: losses add up over them")
	}
	return append(not, "the same text rewritten again, several texts of one person, or fields of one record: losses add up over them")
}
