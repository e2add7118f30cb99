package gate

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/sotto-dp/sotto/ledger"
)

// budgetsShown is the number of accounts whose budgets the metrics have: those with the
// least left. sotto_accounts has the number of all.
const budgetsShown = 100

// BudgetsTime bounds how long the ledger may take to answer one scrape.
const BudgetsTime = 5 * time.Second

// budgets collects the remaining budgets of the accounts. The cost of a single request may
// reveal how many distinct words its texts have, so the figures are rounded down to whole
// percents of the grant.
type budgets struct {
	ledger                *ledger.Ledger
	up, accounts          *prometheus.Desc
	ratio, epsilon, delta *prometheus.Desc
}

func newBudgets(l *ledger.Ledger) *budgets {
	desc := prometheus.NewDesc
	return &budgets{
		ledger:   l,
		up:       desc("sotto_ledger_up", "1 if the ledger could be read for this answer, else 0.", nil, nil),
		accounts: desc("sotto_accounts", "Accounts of the ledger.", nil, nil),
		ratio:    desc("sotto_account_left_ratio", "Share of the budget that is left, the least of all limits of the account, in whole percents rounded down. Only the accounts with the least left.", []string{"account"}, nil),
		epsilon:  desc("sotto_account_left_epsilon", "Epsilon that is left now, rounded down to a whole percent of what was granted.", []string{"account", "notion"}, nil),
		delta:    desc("sotto_account_left_delta", "Delta that is left now, rounded down to a whole percent of what was granted; accounts with a delta.", []string{"account"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (b *budgets) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{b.up, b.accounts, b.ratio, b.epsilon, b.delta} {
		to <- d
	}
}

// Collect implements prometheus.Collector. If the ledger cannot be read there are no
// figures of accounts: old ones would look as if nothing were spent.
func (b *budgets) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), BudgetsTime)
	defer cancel()
	accounts, err := b.ledger.Accounts(ctx)
	if err != nil {
		gauge(b.up, 0)
		return
	}
	gauge(b.up, 1)
	gauge(b.accounts, float64(len(accounts)))
	now := b.ledger.Now()
	left := make([]budgetLeft, len(accounts))
	for i, a := range accounts {
		left[i] = leftOf(a, now)
	}
	slices.SortFunc(left, func(x, y budgetLeft) int {
		return cmp.Or(cmp.Compare(x.percent, y.percent), cmp.Compare(x.account, y.account))
	})
	for _, one := range left[:min(len(left), budgetsShown)] {
		gauge(b.ratio, float64(one.percent)/100, one.account)
		gauge(b.epsilon, one.epsilon, one.account, one.notion)
		if one.delta != nil {
			gauge(b.delta, *one.delta, one.account)
		}
	}
}

// budgetLeft holds the metrics of an account.
type budgetLeft struct {
	account, notion string
	percent         int64 // the least of all limits
	epsilon         float64
	delta           *float64 // nil if no limit has a delta
}

// Units of ledger.Amount in 1.
const (
	epsilonUnits = 1e9
	deltaUnits   = 1e18
)

func leftOf(a ledger.Account, now time.Time) budgetLeft {
	left := budgetLeft{account: a.Name, notion: a.Describe(now).Notion}
	for i, l := range a.Limits {
		remaining := l.Remaining(now)
		percent := percentLeft(remaining.Epsilon, l.Granted.Epsilon)
		epsilon := float64(percent) / 100 * float64(l.Granted.Epsilon) / epsilonUnits
		if l.Granted.Delta > 0 {
			of := percentLeft(remaining.Delta, l.Granted.Delta)
			delta := float64(of) / 100 * float64(l.Granted.Delta) / deltaUnits
			if left.delta == nil || delta < *left.delta {
				left.delta = &delta
			}
			percent = min(percent, of)
		}
		if i == 0 || epsilon < left.epsilon {
			left.epsilon = epsilon
		}
		if i == 0 || percent < left.percent {
			left.percent = percent
		}
	}
	return left
}

// percentLeft returns the remaining share of a grant in whole percents, rounded down: 0 to
// 100.
func percentLeft(left, granted int64) int64 {
	if left <= 0 || granted <= 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(min(left, granted)), 100)
	percent, _ := bits.Div64(high, low, uint64(granted))
	return int64(percent)
}
