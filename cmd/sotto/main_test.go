package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sotto": main})
}

// The stories of testdata are the specification of the command line.
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/.cache")
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/.config")
			return os.MkdirAll(env.WorkDir+"/.cache", 0o755)
		},
	})
}
