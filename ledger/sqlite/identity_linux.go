package sqlite

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// networks are file systems over which processes on two machines would share no
// memory and perhaps no locks.
var networks = map[uint32]string{
	unix.NFS_SUPER_MAGIC:  "NFS",
	unix.SMB_SUPER_MAGIC:  "SMB",
	unix.CIFS_SUPER_MAGIC: "SMB",
	unix.SMB2_SUPER_MAGIC: "SMB",
	unix.AFS_SUPER_MAGIC:  "AFS",
	unix.CEPH_SUPER_MAGIC: "Ceph",
}

// unfit refuses a file where SQLite's log would be on another disk or in another
// folder than other processes see. A file that is mounted by itself (a bind
// mount, as `docker run -v FILE:FILE` makes) has its log beside the mount's name.
func unfit(path string) error {
	var s unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_BASIC_STATS, &s)
	if err == nil && s.Attributes_mask&s.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0 {
		return errors.New("is mounted by itself: mount the folder that it is in, so that its log is in one place")
	}
	var f unix.Statfs_t
	if err := unix.Statfs(path, &f); err == nil {
		if name := networks[uint32(f.Type)]; name != "" {
			return fmt.Errorf("is on a network file system (%s): put it on a local disk, or the ledger into PostgreSQL", name)
		}
	}
	return nil
}
