package mechanism

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// ChannelFormat is the version of the computation of weights from a table, a member and its
// settings. It increases if and only if any channel's weights change. Certificates and
// cached figures with another number are for other rows.
const ChannelFormat = 1

// keptFigure is the format of a cached figure. The checksum detects accidents only:
// anyone who can write to the cache can write a checksum too.
type keptFigure struct {
	Format int             `json:"channel_format"`
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`
	SHA256 string          `json:"sha256"`
}

func (k keptFigure) checksum() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q %s", k.Format, k.Key, k.Value))
	return hex.EncodeToString(sum[:])
}

// Recall reads what Remember stored in a cache under key. It reports whether
// there is an undamaged figure of this channel format. If a claim depends on the figure,
// recompute it or check what can be checked.
func Recall(c Cache, key string, into any) bool {
	if c == nil {
		return false
	}
	data, ok := c.Get(formatKey(key))
	var k keptFigure
	if !ok || json.Unmarshal(data, &k) != nil || k.Format != ChannelFormat || k.Key != key || k.SHA256 != k.checksum() {
		return false
	}
	return json.Unmarshal(k.Value, into) == nil
}

// Remember stores a figure in a cache, which may be nil, under key. A figure that
// JSON cannot represent, such as infinity, is not stored.
func Remember(c Cache, key string, value any) {
	if c == nil {
		return
	}
	k := keptFigure{Format: ChannelFormat, Key: key}
	var err error
	if k.Value, err = json.Marshal(value); err != nil {
		return
	}
	k.SHA256 = k.checksum()
	if data, err := json.Marshal(k); err == nil {
		c.Put(formatKey(key), data)
	}
}

func formatKey(key string) string { return fmt.Sprintf("%s-format%d", key, ChannelFormat) }
