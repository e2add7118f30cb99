package gate

import (
	"context"
	"log"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// Metrics are the server's counters. Every label value is the name of an account, which
// an operator chose, or a constant of this program: a route, a status, a kind of problem, a
// mechanism of the catalogue.
type Metrics struct {
	Handler          http.Handler
	requests         *prometheus.CounterVec
	problems         *prometheus.CounterVec
	seconds          *prometheus.HistogramVec
	tokens, texts    *prometheus.CounterVec
	inFlight, Opened prometheus.Gauge
	Replays          prometheus.Counter
	Charges          prometheus.Histogram
	connectionErrors prometheus.Counter
}

// buckets are the bounds of histograms, in seconds.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// NewMetrics creates the counters in a registry of their own, with the budgets of a
// ledger unless it is nil.
func NewMetrics(l *ledger.Ledger) *Metrics {
	m := &Metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "sotto_requests_total", Help: "Requests by route and status."}, []string{"route", "status"}),
		problems: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "sotto_problems_total", Help: "Requests refused or failed, by kind of problem."}, []string{"type"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "sotto_request_seconds", Help: "Time from the headers to the end of the answer. Requests for whole texts, marks and corpora, and those that were refused before it was known what they are for, are left out, since their time depends on a length.",
			Buckets: buckets}, []string{"route"}),
		tokens:           prometheus.NewCounterVec(prometheus.CounterOpts{Name: "sotto_tokens_total", Help: "Tokens drawn, by mechanism."}, []string{"mechanism"}),
		texts:            prometheus.NewCounterVec(prometheus.CounterOpts{Name: "sotto_texts_total", Help: "Whole texts drawn, by mechanism."}, []string{"mechanism"}),
		inFlight:         prometheus.NewGauge(prometheus.GaugeOpts{Name: "sotto_requests_in_flight", Help: "Requests in progress."}),
		Opened:           prometheus.NewGauge(prometheus.GaugeOpts{Name: "sotto_mechanisms_open", Help: "Mechanisms kept open or being opened."}),
		Replays:          prometheus.NewCounter(prometheus.CounterOpts{Name: "sotto_replays_total", Help: "Retries answered with the stored answer."}),
		Charges:          prometheus.NewHistogram(prometheus.HistogramOpts{Name: "sotto_ledger_charge_seconds", Help: "Time until a charge is on stable storage, or fails.", Buckets: buckets}),
		connectionErrors: prometheus.NewCounter(prometheus.CounterOpts{Name: "sotto_connection_errors_total", Help: "Connections that failed below HTTP."}),
	}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(m.requests, m.problems, m.seconds, m.tokens, m.texts, m.inFlight, m.Opened, m.Replays, m.Charges, m.connectionErrors,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if l != nil {
		registry.MustRegister(newBudgets(l))
	}
	m.Handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
	return m
}

// observe counts a request. took is nil if the time could reveal something about a text.
func (m *Metrics) observe(route string, status int, kind string, took *time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	if took != nil {
		m.seconds.WithLabelValues(route).Observe(took.Seconds())
	}
	if kind != "" {
		m.problems.WithLabelValues(kind).Inc()
	}
}

// ErrorLog counts what net/http says of connections, whose messages may quote their bytes.
func (m *Metrics) ErrorLog() *log.Logger {
	return slog.NewLogLogger(countingHandler{m.connectionErrors}, slog.LevelError)
}

func (m *Metrics) Draws(mechanism string, unit privacy.Unit, counts sotto.Counts, replayed bool) {
	switch {
	case replayed:
		m.Replays.Inc()
	case unit == privacy.Text:
		m.texts.WithLabelValues(mechanism).Add(float64(counts.Documents))
	default:
		m.tokens.WithLabelValues(mechanism).Add(float64(counts.Tokens))
	}
}

// countingHandler counts log records and drops their messages.
type countingHandler struct{ count prometheus.Counter }

func (h countingHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h countingHandler) Handle(context.Context, slog.Record) error {
	h.count.Inc()
	return nil
}

func (h countingHandler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h countingHandler) WithGroup(string) slog.Handler      { return h }
