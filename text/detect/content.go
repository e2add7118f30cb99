package detect

import (
	"bytes"
	"strings"
)

// parts are what several expressions have in common: a day of a month, the names of months,
// and what is between the days of a range.
var parts = strings.NewReplacer(
	"{day}", `(?:(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|º|\.)?)`,
	"{to}", `(?: ?[-–—/] ?| (?:to|until|till|and|or|through|bis|und|oder|à|au|et|al?|y|e|tot|en) )`,
	"{month}", `(?:jan(?:uary?|uari|vier|eiro|v)?|jänner|feb(?:ruary?|ruari|rero|braio)?|f[eé]vr(?:ier)?|fev(?:ereiro)?|mar(?:ch|s|zo|[cç]o)?|m[aä]rz|mrz|maart|mrt`+
		`|apr(?:ile?)?|abr(?:il)?|avr(?:il)?|may|mayo|mai|maio|maggio|mag|mei|june?|juni|juin|junio|junho|giu(?:gno)?|july?|juli|juil(?:let)?|julio|julho|lug(?:lio)?`+
		`|aug(?:ust(?:us)?)?|ago(?:sto)?|ao[uû]t|sept?(?:ember|embre|iembre)?|setiembre|settembre|setembro|o[ck]t(?:ober|obre|ubre)?|ott(?:obre)?|out(?:ubro)?`+
		`|nov(?:ember|embre|iembre|embro)?|de[cz](?:ember|embre|embro)?|d[eé]c(?:embre)?|dic(?:iembre|embre)?|ene(?:ro)?|gen(?:naio)?)`,
)

// content is what a text has, so that most texts are not searched for most patterns.
type content struct {
	of                       []byte
	digit, url, secret, long bool
}

// named are what the names of secrets have in them.
var named = []string{"pass", "pwd", "key", "token", "secret", "kennwort", "contrase", "authorization", "bearer"}

func contents(of []byte) content {
	lower := bytes.ToLower(of)
	c := content{of: of, digit: bytes.ContainsAny(of, "0123456789"), url: bytes.Contains(of, []byte("://")) || bytes.Contains(lower, []byte("www."))}
	for _, name := range named {
		c.secret = c.secret || bytes.Contains(lower, []byte(name))
	}
	for run, at := 0, 0; at < len(of) && !c.long; at++ {
		if run++; of[at] <= ' ' {
			run = 0
		}
		c.long = run == longRun
	}
	return c
}

// longRun is the number of bytes of the shortest key that is told by its length.
const longRun = 40

func (c content) what(needs string) bool {
	switch needs {
	case "digit":
		return c.digit
	case "url":
		return c.url
	case "secret":
		return c.secret
	case "long":
		return c.long
	}
	return bytes.Contains(c.of, []byte(needs))
}
