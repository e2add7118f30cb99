package python

import (
	"os"
	"sync"
)

// resolving is held while names of files are those of a client's working folder.
var resolving sync.Mutex

// inFolder calls f in the working folder of the client, where it has one of its own: a name is then
// what it is on a command line there, a built-in list before a file. A folder that is not there,
// such as that of an object which comes from another machine, is an empty one.
func inFolder(folder *string, f func() error) error {
	resolving.Lock()
	defer resolving.Unlock()
	if folder == nil {
		return f()
	}
	if before, err := os.Getwd(); err == nil {
		defer func() { _ = os.Chdir(before) }() // this program's own, which nothing else needs
	}
	if os.Chdir(*folder) != nil {
		empty, err := os.MkdirTemp("", "sotto-")
		if err != nil {
			return err
		}
		defer os.Remove(empty)
		if err := os.Chdir(empty); err != nil {
			return err
		}
	}
	return f()
}
