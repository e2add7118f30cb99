package provenance

import (
	"fmt"
	"slices"
	"strings"
)

// Result names a result, as the beginning of a sentence about it.
type Result string

// The results.
const (
	Model       Result = "the model is"
	Predictions Result = "the predictions are"
	Figures     Result = "the figures are"
	Counts      Result = "the counts are"
	Restored    Result = "the restored text is"
	Corpus      Result = "the corpus is"
)

// Of says in one sentence what a result reveals that was computed from the inputs. The
// sentence has no full stop.
func (in Inputs) Of(result Result) string {
	return in.reveals(result) + in.assumed()
}

// assumed names what is public by assumption.
func (in Inputs) assumed() string {
	var names []string
	for _, i := range in {
		if i.Assumed && i.kind() == Public && !slices.Contains(names, i.name()) {
			names = append(names, i.name())
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "; " + names[0] + " is assumed to be public"
	}
	return "; " + and(names) + " are assumed to be public"
}

func (in Inputs) reveals(result Result) string {
	said := string(result) + " "
	switch in.Kind() {
	case Public:
		return said + "from public data alone: nothing private was read"
	case Released:
		released := in.of(Released)
		return said + "post-processing of " + list(released, Input.release) + ": no privacy is spent beyond what the release spent" + uncovered(released)
	case Clear:
		said += "as private as " + in.of(Clear).files()
	default:
		said += "from data that is not recorded: treat it as private"
		if clear := in.of(Clear); len(clear) > 0 {
			said += ", and as private as " + clear.files()
		}
	}
	if released := in.of(Released); len(released) > 0 {
		said += ", and otherwise post-processing of " + list(released, Input.release) + uncovered(released)
	}
	return said
}

// of returns the inputs of one kind.
func (in Inputs) of(k Kind) (some Inputs) {
	for _, i := range in {
		if i.kind() == k {
			some = append(some, i)
		}
	}
	return some
}

// Warning is Of for a result that is as private as a clear input, or of unknown ones. It
// is empty for others.
func (in Inputs) Warning(result Result) string {
	if in.Kind().rank() < Clear.rank() {
		return ""
	}
	return in.Of(result)
}

// NotPublic is why figures of texts that are not public must not choose epsilon.
const NotPublic = "figures of private texts reveal something about them, and so does an epsilon chosen by them"

func (in Input) name() string {
	if in.Name == "" {
		return "what was given"
	}
	return in.Name
}

// files names clear inputs, with what was read of them: those with the same contents
// together.
func (in Inputs) files() string {
	var said []string
	for len(in) > 0 {
		how, rest := in[0].how(), Inputs(nil)
		var names []string
		for _, i := range in {
			switch {
			case i.how() != how:
				rest = append(rest, i)
			case !slices.Contains(names, i.name()):
				names = append(names, i.name())
			}
		}
		said, in = append(said, and(names)+how), rest
	}
	return strings.Join(said, ", and ")
}

// how says what was read of a clear input and why it is clear.
func (in Input) how() string {
	if !in.Seeded {
		return asTheyAre(in.What)
	}
	covered := slices.DeleteFunc(slices.Clone(in.What), func(what string) bool { return slices.Contains(in.NotCovered, what) })
	said := fmt.Sprintf(", whose %s were drawn by a seed that undoes the draws", and(covered))
	if more := asTheyAre(in.NotCovered); more != "" {
		said += ", and" + strings.TrimPrefix(more, ",")
	}
	return said
}

func asTheyAre(what []string) string {
	if len(what) == 0 {
		return ""
	}
	return fmt.Sprintf(", whose %s were read as they are", and(what))
}

// release names a released input, with its claim.
func (in Input) release() string {
	if c, ok := in.claim(); ok {
		return fmt.Sprintf("%s [%s]", in.name(), c)
	}
	return fmt.Sprintf("%s [%s randomised at epsilon = %.10g, as stated by the caller]", in.name(), and(in.What), in.Epsilon)
}

// uncovered names what claims do not cover.
func uncovered(released Inputs) string {
	var said []string
	for _, i := range released {
		if len(i.NotCovered) > 0 {
			said = append(said, fmt.Sprintf("; the claim does not cover the %s in %s", and(i.NotCovered), i.name()))
		}
	}
	return strings.Join(said, "")
}

// list joins what is said of inputs, each once.
func list(in Inputs, say func(Input) string) string {
	var said []string
	for _, i := range in {
		if s := say(i); !slices.Contains(said, s) {
			said = append(said, s)
		}
	}
	return and(said)
}

func and(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
