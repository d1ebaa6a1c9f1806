// Replaced by the POSIX file system.
