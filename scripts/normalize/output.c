// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns putting a finished report into a file. Reports are assembled in memory
 * first, so all that can fail here is the file system.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem.h"

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

static int write_directly(const char *path, const char *data, size_t len, struct fault *f)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int failed = fd < 0 || write_all(fd, data, len);

	if (failed)
		fault_set(f, "%s: %s", path, strerror(errno));
	if (fd >= 0 && close(fd) && !failed)
		failed = fault_set(f, "%s: %s", path, strerror(errno));
	return failed ? -1 : 0;
}

int output_write(const char *path, const char *data, size_t len, struct fault *f)
{
	mode_t mask = umask(0), mode;
	struct stat st;
	char *temporary;
	int fd, failed;

	umask(mask);
	mode = 0666 & ~mask;
	if (!stat(path, &st)) {
		if (!S_ISREG(st.st_mode))
			return write_directly(path, data, len, f);
		mode = st.st_mode & 07777;
	}
	temporary = mem_printf("%s.XXXXXX", path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		fault_set(f, "%s: cannot be written: %s", path, strerror(errno));
		free(temporary);
		return -1;
	}
	failed = fchmod(fd, mode) || write_all(fd, data, len) || fsync(fd);
	if (failed)
		fault_set(f, "%s: cannot be written: %s", path, strerror(errno));
	if (close(fd) && !failed)
		failed = fault_set(f, "%s: cannot be written: %s", path, strerror(errno));
	if (!failed && rename(temporary, path))
		failed = fault_set(f, "%s: cannot be written: %s", path, strerror(errno));
	if (failed)
		unlink(temporary);
	free(temporary);
	return failed ? -1 : 0;
}
