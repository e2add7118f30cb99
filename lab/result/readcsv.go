package result

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/privacy"
)

// ReadCSV reads what [WriteCSV] wrote. Rows lack what a file does not have: the unit and the
// assumptions of a claim, the published claim, the witnesses of a certificate, and the
// digests of the data. A column holds texts if one of its cells is not a number.
func ReadCSV(r io.Reader) ([]Row, error) {
	lines, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	if len(lines) == 0 {
		return nil, errors.New("result: no header")
	}
	head := lines[0]
	seed, end := slices.Index(head, "seed"), slices.Index(head, "left_out")
	if seed < 1 || end < seed {
		return nil, errors.New("result: the header has no seed or no left_out")
	}
	texts := make([]bool, len(head))
	for _, line := range lines[1:] {
		for k := seed + 1; k < end; k++ {
			if _, err := strconv.ParseFloat(line[k], 64); line[k] != "" && err != nil {
				texts[k] = true
			}
		}
	}
	var rows []Row
	for _, line := range lines[1:] {
		row := Row{Plan: line[0], Outcome: Outcome{Values: map[string]float64{}, Texts: map[string]string{}, LeftOut: line[end]}}
		for k := 1; k < seed; k++ {
			if line[k] != "" {
				row.Params = append(row.Params, Param{head[k], line[k]})
			}
		}
		if row.Seed, err = strconv.ParseUint(line[seed], 10, 64); err != nil {
			return nil, fmt.Errorf("result: seed: %w", err)
		}
		for k := seed + 1; k < end; k++ {
			switch {
			case texts[k]:
				row.Texts[textName(head[k], head[1:seed])] = line[k]
			case line[k] != "":
				row.Outcome.Values[head[k]], _ = strconv.ParseFloat(line[k], 64)
			}
		}
		if err := row.provenance(head[end+1:], line[end+1:]); err != nil {
			return nil, fmt.Errorf("result: %w", err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// textName returns the name of a column's text. WriteCSV puts "written_" before one that a
// parameter has too.
func textName(column string, params []string) string {
	if name, ok := strings.CutPrefix(column, "written_"); ok && slices.Contains(params, name) {
		return name
	}
	return column
}

// provenance sets what the columns after the figures say: the evidence of privacy, the
// time and the code. An empty cell is a value that is not known.
func (r *Row) provenance(head, cells []string) (err error) {
	number := func(cell string) (v float64) {
		if cell != "" && err == nil {
			v, err = strconv.ParseFloat(cell, 64)
		}
		return v
	}
	var claim privacy.Claim
	var certificate audit.Certificate
	for k, cell := range cells {
		switch head[k] {
		case "notion":
			claim.Notion = privacy.Notion(cell)
		case "claim_epsilon":
			claim.Epsilon = number(cell)
		case "claim_delta":
			claim.Delta = number(cell)
		case "standing":
			if cell != "" {
				r.Evidence.Standing = new(privacy.Standing)
				err = cmp.Or(err, r.Evidence.Standing.UnmarshalText([]byte(cell)))
			}
		case "certified_metric_epsilon":
			certificate.MetricEpsilon.High = number(cell)
		case "certified_pure_epsilon":
			certificate.PureEpsilon.High = number(cell)
		case "refutation":
			r.Evidence.Refutation = cell
		case "seconds":
			r.Seconds = number(cell)
		case "key":
			r.Key = cell
		case "code":
			r.Code = cell
		case "commit":
			r.Commit = cell
		}
	}
	if claim.Notion != "" {
		r.Evidence.Claim = &claim
	}
	if certificate.MetricEpsilon.Known() || certificate.PureEpsilon.Known() {
		r.Evidence.Certificate = &certificate
	}
	return err
}
