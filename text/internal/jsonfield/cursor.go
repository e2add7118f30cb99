package jsonfield

import "bytes"

// cursor reads a valid document.
type cursor struct {
	data []byte
	at   int
}

func (c *cursor) space() {
	for c.at < len(c.data) && (c.data[c.at] == ' ' || c.data[c.at] == '\t' || c.data[c.at] == '\r' || c.data[c.at] == '\n') {
		c.at++
	}
}

// string reads a string and returns its content.
func (c *cursor) string() string { return string(unescape(c.raw())) }

// raw reads a string and returns the bytes between its quotes.
func (c *cursor) raw() []byte {
	start := c.at
	for c.at++; c.data[c.at] != '"'; c.at++ {
		if c.data[c.at] == '\\' {
			c.at++
		}
	}
	c.at++
	return c.data[start+1 : c.at-1]
}

// scalar reads a number, true, false or null.
func (c *cursor) scalar() []byte {
	start := c.at
	for c.at < len(c.data) && !bytes.ContainsRune([]byte(",]} \t\r\n"), rune(c.data[c.at])) {
		c.at++
	}
	return c.data[start:c.at:c.at]
}
