package opening

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

// openNever reads the list that a flag names: the shipped one, or a file.
func openNever(ctx context.Context, name string) (*embedding.WordList, error) {
	if name == builtin.NeverName {
		return builtin.Never()
	}
	f, err := cli.OpenInput(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := embedding.ReadWordList(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	return list, nil
}

// Without returns the table without the words of the list that a flag names; "" is none.
func Without(ctx context.Context, table *embedding.Table, name string) (*embedding.Table, error) {
	if name == "" {
		return table, nil
	}
	list, err := openNever(ctx, name)
	if err != nil {
		return nil, err
	}
	cut, err := table.Without(list)
	if err != nil {
		return nil, cli.WrongUsage("", "--never %s: %v", name, err)
	}
	return cut, nil
}

// Stated returns the table of a report: its first words, without those of its list. A list
// other than the shipped one is given by a flag.
func Stated(ctx context.Context, table *embedding.Table, words int, never *embedding.Never, name string) (_ *embedding.Table, err error) {
	if never != nil {
		words = never.Of
	}
	if words >= 1 && words < table.Len() {
		if table, err = table.First(words); err != nil {
			return nil, err
		}
	}
	if never == nil {
		if name != "" {
			return nil, cli.WrongUsage("leave out --never", "the release was made without a list of words that never come out")
		}
		return table, nil
	}
	if shipped, err := builtin.Never(); name == "" && err == nil && shipped.Digest() == never.SHA256 {
		name = builtin.NeverName
	}
	if name == "" {
		return nil, cli.WrongUsage("give it with --never FILE", "the release was made without the words of a list (sha256 %.12s)", never.SHA256)
	}
	list, err := openNever(ctx, name)
	if err != nil {
		return nil, err
	}
	if list.Digest() != never.SHA256 {
		return nil, cli.WrongUsage("", "--never %s: the release was made with another list (sha256 %.12s, not %.12s)", name, never.SHA256, list.Digest())
	}
	return table.Without(list)
}
