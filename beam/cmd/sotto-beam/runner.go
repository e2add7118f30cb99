package main

import (
	"context"
	"flag"
	"maps"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/gcpopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
)

// inProcess is the runner that opens no socket.
const inProcess = "direct"

// runner returns the runner that is asked for, by default the one in this process. It refuses
// a runner that lacks what it needs, before anything is written.
func runner(ctx context.Context) (string, error) {
	name := strings.ToLower(strings.TrimSuffix(*runners.Runner, "Runner"))
	switch name {
	case "":
		return inProcess, nil
	case inProcess:
		return name, nil
	case "dataflow":
		needs := map[string]string{"project": gcpopts.GetProjectFromFlagOrEnvironment(ctx), "region": gcpopts.GetRegion(ctx), "staging_location": flag.Lookup("staging_location").Value.String()}
		for _, needed := range slices.Sorted(maps.Keys(needs)) {
			if needs[needed] == "" {
				return "", wrong("--runner %s needs --%s", name, needed)
			}
		}
		return name, nil
	case "prism":
		if *jobopts.Endpoint == "" {
			return "", wrong("--runner prism would let any host on the network read the texts: it listens on all addresses of this machine and asks nobody who they are; leave --runner out, which opens no socket")
		}
		return name, nil
	}
	if !slices.Contains([]string{"flink", "spark", "portable", "universal"}, name) {
		return "", wrong("--runner must be direct, flink, spark, portable, dataflow or prism, got %q", *runners.Runner)
	}
	if *jobopts.Endpoint == "" {
		return "", wrong("--runner %s needs --endpoint", name)
	}
	return name, nil
}
