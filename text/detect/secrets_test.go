package detect

import (
	"strings"
	"testing"
)

// A key or a password is marked as a whole, wherever its lines break.
func TestLongSecretsAreMarkedAsAWhole(t *testing.T) {
	line := strings.Repeat("abcdefgh", 8) // of no key's look
	for _, sep := range []string{"\n", `\n`, "\r\n", `\r\n`, `\\n`} {
		for at := 500; at <= 520; at++ {
			const begin = "-----BEGIN RSA PRIVATE KEY-----"
			body := begin + sep + strings.Repeat("a", at-len(begin)-2*len(sep)-len("DEK-Info: AES")) + sep + "DEK-Info: AES" + sep + strings.Repeat(line+sep, 20)
			for _, key := range []string{body + "-----END RSA PRIVATE KEY-----", strings.TrimSuffix(body, sep)} {
				want := "key [" + key + "], x"
				if got := marked(t, "key "+key+", x", "SECRET"); got != want {
					t.Fatalf("%q at %d: %q", sep, at, got)
				}
			}
		}
	}
	for _, size := range []int{500, 512, 520, 5000} {
		long := strings.Repeat("a1_", size/3) + "Z"
		for _, form := range []string{"password: [%s], x", "password=\"[%s]\" x", "x [eyJ%s.%s.x], y", "Bearer [%s], x", "[sk-%s], x"} {
			want := strings.ReplaceAll(form, "%s", long)
			if got := marked(t, strings.NewReplacer("[", "", "]", "").Replace(want), "SECRET"); got != want {
				t.Errorf("%s of %d: %.60q", form, size, got)
			}
		}
	}
}
