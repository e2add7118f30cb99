//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// withChildren gives a command a process group, so that what its shell started ends with it.
func withChildren(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
