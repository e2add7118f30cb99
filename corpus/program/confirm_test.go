package program

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
)

func started(t *testing.T, kind string) *Program {
	t.Helper()
	p, err := Start(t.Context(), command(t, kind))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if _, err := p.Vectors(t.Context(), texts(2)); err != nil { // which checks it
		t.Fatal(err)
	}
	return p
}

func isOfProgram(err error) bool {
	var of *Error
	return errors.As(err, &of)
}

// An answer too many would give each later text the vector of the one before: however late it
// comes, no vector of a later text is returned.
func TestAnswersTooManyAreFound(t *testing.T) {
	p := started(t, "adds")
	_, err := p.Vectors(t.Context(), [][]byte{[]byte("a"), []byte("last")})
	if err == nil { // the public text was answered first
		_, err = p.Vectors(t.Context(), [][]byte{[]byte("another")})
	}
	if !isOfProgram(err) {
		t.Errorf("%v, want that an answer was not the right one", err)
	}
	for _, one := range []bool{false, true} {
		p = started(t, "adds")
		if one {
			_, err = p.single(t.Context(), []byte("last"))
		} else {
			_, err = p.Vectors(t.Context(), [][]byte{[]byte("last")})
		}
		if err == nil {
			err = p.Finish()
		}
		if !isOfProgram(err) {
			t.Errorf("single %v: %v at the end", one, err)
		}
	}
	p = started(t, "adds")
	if _, err = p.Vectors(t.Context(), [][]byte{[]byte("last")}); err == nil {
		err = p.Confirm()
	}
	if !isOfProgram(err) {
		t.Errorf("%v when a public text is asked for", err)
	}
	if err := started(t, "adds at the end").Finish(); !errors.Is(err, errMore) {
		t.Errorf("at the end: %v, want %v", err, errMore)
	}
}

// A text may be answered by what a process left that died over it: it is asked for again.
func TestAnswersOfAProcessThatDiedAreAskedForAgain(t *testing.T) {
	asked := [][]byte{[]byte("a"), []byte("bb"), []byte("ccc"), []byte("dddd"), []byte("last"), []byte("another"), []byte("f"), []byte("gg"), []byte("hhh"), []byte("iiii")}
	want, err := started(t, "json").Vectors(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	got, err := started(t, "adds and dies").Vectors(t.Context(), asked)
	if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	p := started(t, "adds and dies")
	if _, err := p.single(t.Context(), []byte("last")); err != nil {
		t.Fatal(err)
	}
	v, err := p.single(t.Context(), []byte("another"))
	if err == nil {
		err = p.Finish()
	}
	if err == nil && !slices.Equal(v, corpus.Quantize(nil, want[5])) || err != nil && !errors.Is(err, ErrOthers) {
		t.Errorf("one after the other: %v, %v", v, err)
	}
}

func TestSingleTextsAreConfirmed(t *testing.T) {
	p := started(t, "json")
	ctx, fail := context.WithCancelCause(t.Context())
	one := p.One(ctx, fail)
	for _, text := range texts(stretch + 3) {
		one.Encode(nil, text)
	}
	if err := context.Cause(ctx); err != nil || len(p.open) != 3 {
		t.Errorf("%d are open, %v", len(p.open), err)
	}
	if err := p.Confirm(); err != nil || len(p.open) > 0 || p.process == nil {
		t.Errorf("%d are open, %v, after what ends nothing", len(p.open), err)
	}
	if err := p.Finish(); err != nil || len(p.open) > 0 {
		t.Errorf("%d are open, %v", len(p.open), err)
	}
	if err := p.Finish(); err != nil {
		t.Errorf("again: %v", err)
	}
	p = started(t, "remembers")
	ctx, fail = context.WithCancelCause(t.Context())
	one = p.One(ctx, fail)
	for _, text := range texts(stretch) {
		one.Encode(nil, text)
	}
	if err := context.Cause(ctx); !errors.Is(err, ErrOthers) {
		t.Errorf("%v, want %v", err, ErrOthers)
	}
}

// A program that answers every text, and dies again and again before a stretch ends, is asked for
// shorter ones. It needs to live for a text and a public one.
func TestProgramThatDiesOftenIsAskedForLess(t *testing.T) {
	all := texts(2*stretch + 9)
	want, err := started(t, "json").Vectors(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"dies after 6", "dies after 3", "dies after 2"} { // lines of 5 texts
		p := started(t, kind)
		got, err := p.Vectors(t.Context(), all)
		if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: %v", kind, err)
		}
		p = started(t, kind)
		ctx, fail := context.WithCancelCause(t.Context())
		one := p.One(ctx, fail)
		for i, text := range all {
			if v := one.Encode(nil, text); !slices.Equal(v, corpus.Quantize(nil, want[i])) {
				t.Errorf("%s: text %d has another vector", kind, i)
				break
			}
		}
		if err := cmp.Or(context.Cause(ctx), p.Finish()); err != nil {
			t.Errorf("%s, one after the other: %v", kind, err)
		}
	}
	if p, err := Start(t.Context(), command(t, "dies after 1")); err != nil {
		t.Fatal(err)
	} else if _, err := p.Vectors(t.Context(), all); !errors.Is(err, errDies) {
		t.Errorf("dies after 1: %v, want %v", err, errDies)
	}
}
