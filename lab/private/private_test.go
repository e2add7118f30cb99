package private

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/privacy"
)

func table(t *testing.T, words int) *embedding.Table {
	t.Helper()
	whole, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	first, err := whole.First(words)
	if err != nil {
		t.Fatal(err)
	}
	return first
}

func TestASettingsNameSaysWhatIsOpened(t *testing.T) {
	name, spec, err := Setting{"neighbours k=100 objective=signal", 4}.Spec()
	if err != nil || name != "neighbours" || spec.Epsilon != 4 || spec.Published || spec.Parameters["neighbours"] != "100" || spec.Parameters["objective"] != "signal" {
		t.Errorf("%s, %+v (%v)", name, spec, err)
	}
	if name, spec, err := (Setting{"tem published", 2}).Spec(); err != nil || name != "tem" || !spec.Published {
		t.Errorf("%s, %+v (%v)", name, spec, err)
	}
	for _, bad := range []string{"", "tem publishd"} {
		if _, _, err := (Setting{bad, 2}).Spec(); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestEveryMemberComesWithWhatIsKnownOfIt(t *testing.T) {
	o := &Opener{Cache: Folder(t.TempDir())}
	small := table(t, 300)
	for name, want := range map[string]struct {
		standing         privacy.Standing
		certified, wrong bool
	}{
		"tem": {privacy.Proved, true, false}, "tem published": {privacy.Proved, true, false}, "neighbours": {privacy.Proved, true, false},
		"madlib": {privacy.Proved, false, false}, "trlaplace-published": {privacy.Refuted, false, true},
	} {
		m, err := o.Open(small, Setting{name, 2})
		if err != nil {
			t.Fatal(err)
		}
		e := m.Evidence
		if *e.Standing != want.standing || (e.Certificate != nil) != want.certified || (e.Refutation != "") != want.wrong {
			t.Errorf("%s: standing %s, certificate %v, refutation %q", name, e.Standing, e.Certificate, e.Refutation)
		}
		if e.Certificate != nil && e.Certificate.Covers(*e.Claim) != nil {
			t.Errorf("%s: the certificate does not cover the claim", name)
		}
		if again, _ := o.Open(small, Setting{name, 2}); again != m {
			t.Errorf("%s is opened twice", name)
		}
	}
	published, _ := o.Open(small, Setting{"tem published", 2})
	calibrated, _ := o.Open(small, Setting{"tem", 2})
	if a, b := published.Evidence.Certificate.MetricEpsilon.High, calibrated.Evidence.Certificate.MetricEpsilon.High; a >= b || b > 2 {
		t.Errorf("the paper's parameter is certified at %g, the calibrated one at %g, of 2", a, b)
	}
}

func TestARefusedSettingIsAFinding(t *testing.T) {
	o := &Opener{}
	_, err := o.Open(table(t, 300), Setting{"gaussian", 2})
	if why, ok := Refused(err); !ok || !strings.Contains(why, "at most 1") {
		t.Errorf("a classical Gaussian at 2 gives %v", err)
	}
	_, err = o.Open(table(t, 300), Setting{"nothing", 2})
	if _, ok := Refused(err); ok || err == nil {
		t.Errorf("a member that does not exist gives %v", err)
	}
}

func TestACopyIsTheSameForOneSeed(t *testing.T) {
	small := table(t, 300)
	o := &Opener{}
	m, err := o.Open(small, Setting{"neighbours", 2})
	if err != nil {
		t.Fatal(err)
	}
	var c dataset.Corpus
	for x := range embedding.ID(300) {
		c.Words = append(c.Words, x)
	}
	c.Ends = []int{100, 300}
	a, _ := m.Rewrite(c, 1, 0)
	b, _ := m.Rewrite(c, 1, 0)
	other, _ := m.Rewrite(c, 2, 0)
	stream, err := m.Rewrite(c, 1, 1)
	if err != nil || !slices.Equal(a.Words, b.Words) || slices.Equal(a.Words, other.Words) || slices.Equal(a.Words, stream.Words) {
		t.Errorf("one seed gives different copies, or two the same one (%v)", err)
	}
	if slices.Equal(a.Words, c.Words) || !slices.Equal(a.Ends, c.Ends) {
		t.Error("the copy is the original, or lost its texts")
	}
}

func TestACompiledChannelIsKeptAndOpens(t *testing.T) {
	small := table(t, 200)
	o := &Opener{Channels: t.TempDir()}
	file, err := o.compile(small, Setting{"packing", 2})
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := o.compile(small, Setting{"packing", 2})
	if after, _ := os.Stat(again); err != nil || again != file || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the channel is compiled again (%v)", err)
	}
	m, err := o.Open(small, Setting{"packing channel=" + file, 2})
	if err != nil || m.Evidence.Certificate.MetricEpsilon.High > 2 {
		t.Errorf("the channel opens as %+v (%v)", m, err)
	}
}
