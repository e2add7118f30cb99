package postgres

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/privacy"
)

// secrets are the parameters of a connection whose values must stay secret, of
// this driver and of libpq.
var secrets = []string{"password", "sslpassword", "scram_client_key", "scram_server_key", "oauth_client_secret"}

// shown are the parameters whose values an error or a log may show.
var shown = []string{"host", "hostaddr", "port", "dbname", "database", "user", "service", "sslmode", "target_session_attrs",
	"sslrootcert", "sslcert", "sslkey", "passfile", "servicefile"}

var (
	addressStart = regexp.MustCompile(`^(?i:postgres(?:ql)?)://`)
	ports        = regexp.MustCompile(`^[0-9]{1,5}$`)
)

// IsAddress reports whether a ledger's place is the URL of a PostgreSQL database.
func IsAddress(place string) bool { return addressStart.MatchString(place) }

// CheckAddress refuses a URL that holds, or may hold, a password: command lines show it to
// every user of the machine, and shells and job runners store it. Its errors repeat no byte
// of the URL.
func CheckAddress(address string) error {
	_, err := inspect(address)
	return err
}

// redact returns a URL for messages: scheme, user, hosts, database and harmless
// parameters. Passwords become xxxxx, as do parameters it does not know. If the parts
// cannot be distinguished, everything except the scheme is left out.
func redact(address string) string {
	safe, _ := inspect(address)
	return safe
}

func errPassword() error {
	return privacy.Wrong("ledger", "the URL", "it holds a password", "set PGPASSWORD or PGPASSFILE, or use ~/.pgpass or a service file")
}

func errUnclear() error {
	return privacy.Bad("ledger", "the URL", nil, "postgres://user@host:port/database?name=value with @ : / ? # of a part written as %40 %3A %2F %3F %23")
}

// inspect splits a URL as the driver does, which is not as net/url does: the
// user ends at the first @ before a slash, whatever comes between.
func inspect(address string) (safe string, err error) {
	scheme := addressStart.FindString(address)
	hidden := scheme + "..."
	if scheme != "postgres://" && scheme != "postgresql://" {
		return hidden, privacy.Bad("ledger", "the URL", nil, "postgres://user@host/database")
	}
	rest := address[len(scheme):]
	safe = scheme
	if i := strings.IndexAny(rest, "@/"); i >= 0 && rest[i] == '@' {
		user, _, password := strings.Cut(rest[:i], ":")
		rest = rest[i+1:]
		safe += user
		if password {
			safe, err = safe+":xxxxx", errPassword()
		}
		safe += "@"
		if strings.ContainsAny(user, "?#=&") {
			return hidden, errUnclear()
		}
	}
	// An @ or # further on is the end of a password that holds a slash, or of
	// nothing that this form knows.
	if strings.ContainsAny(rest, "@#") {
		return hidden, errUnclear()
	}
	path, query, _ := strings.Cut(rest, "?")
	hosts, database, _ := strings.Cut(path, "/")
	for host := range strings.SplitSeq(hosts, ",") {
		if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') && i+1 < len(host) && !ports.MatchString(host[i+1:]) {
			return hidden, errUnclear()
		}
	}
	if strings.Contains(database, "/") {
		return hidden, errUnclear()
	}
	parameters, refused := inspectQuery(query)
	if err == nil {
		err = refused
	}
	return safe + path + parameters, err
}

// inspectQuery does the same for the parameters.
func inspectQuery(query string) (safe string, err error) {
	if query == "" {
		return "", nil
	}
	var pairs []string
	for pair := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(pair, "=")
		name, bad := url.PathUnescape(key)
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case bad != nil:
			return "?...", errUnclear()
		case slices.Contains(secrets, name):
			err = errPassword()
			value = "xxxxx"
		case !slices.Contains(shown, name):
			value = "xxxxx"
		}
		pairs = append(pairs, name+"="+value)
	}
	return "?" + strings.Join(pairs, "&"), err
}
