// Package whole writes files that appear under their name whole or not at all.
package whole

// WriteFile writes a file, whole or not at all.
func WriteFile(path string, data []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Cleanup() //nolint:errcheck // nothing is left behind
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}
