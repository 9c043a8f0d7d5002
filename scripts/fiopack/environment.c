// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the facts about the machine and the devices behind the targets: where
 * each is read, and null where it is not to be had. Judges nothing.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../normalize/mem.h"
#include "engines/version.h"
#include "environment.h"

static json_t *text_or_null(const char *s)
{
	json_t *j = s ? json_string(s) : NULL; /* NULL again when it is not UTF-8 */

	return j ? j : json_null();
}

/*
 * 64-bit FNV-1a of a file's contents, as hexadecimal text: not proof against malice, but two
 * builds of one version do differ.
 */
static json_t *fingerprint(const char *path)
{
	FILE *f = path ? fopen(path, "re") : NULL;
	uint64_t hash = 14695981039346656037ULL;
	unsigned char block[16384];
	char text[17];
	bool read_all;
	size_t n;

	if (!f)
		return json_null();
	while ((n = fread(block, 1, sizeof(block), f)))
		for (size_t i = 0; i < n; i++)
			hash = (hash ^ block[i]) * 1099511628211ULL;
	read_all = !ferror(f);
	fclose(f);
	snprintf(text, sizeof(text), "%016" PRIx64, hash);
	return read_all ? json_string(text) : json_null();
}

/* The first line of a file without surrounding blanks, or NULL. Caller frees. */
static char *first_line(const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL, *start, *out = NULL;
	size_t cap = 0;

	if (!f)
		return NULL;
	if (getline(&line, &cap, f) > 0) {
		start = line + strspn(line, " \t");
		start[strcspn(start, "\n")] = '\0';
		for (char *end = start + strlen(start);
		     end > start && isspace((unsigned char)end[-1]);)
			*--end = '\0';
		if (*start)
			out = mem_copy(start);
	}
	free(line);
	fclose(f);
	return out;
}

static json_t *file_text(const char *dir, const char *name)
{
	char *path = mem_printf("%s/%s", dir, name);
	char *line = first_line(path);
	json_t *j = text_or_null(line);

	free(line);
	free(path);
	return j;
}

static json_t *file_number(const char *dir, const char *name)
{
	char *path = mem_printf("%s/%s", dir, name);
	char *line = first_line(path), *end;
	json_t *j = NULL;
	long long n;

	if (line) {
		n = strtoll(line, &end, 10);
		if (end != line && !*end)
			j = json_integer(n);
	}
	free(line);
	free(path);
	return j ? j : json_null();
}

/* The value behind the first "key<blanks>:" of a /proc file. */
static char *proc_value(const char *path, const char *key)
{
	FILE *f = fopen(path, "re");
	char *line = NULL, *colon, *out = NULL;
	size_t cap = 0, len = strlen(key);

	while (f && !out && getline(&line, &cap, f) > 0) {
		colon = strchr(line, ':');
		if (strncmp(line, key, len) || !colon ||
		    line[len + strspn(line + len, " \t")] != ':')
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		colon[strcspn(colon, "\n")] = '\0';
		out = mem_copy(colon);
	}
	free(line);
	if (f)
		fclose(f);
	return out;
}

static json_t *numa_nodes(void)
{
	int n = 0;

	for (int i = 0; i < 1024; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d", i);
		n += !access(path, F_OK);
	}
	return n ? json_integer(n) : json_null();
}

static json_t *cpu(void)
{
	char *model = proc_value("/proc/cpuinfo", "model name");
	long logical = sysconf(_SC_NPROCESSORS_ONLN);
	json_t *j = json_object();

	json_object_set_new(j, "model", text_or_null(model));
	json_object_set_new(j, "logical", logical > 0 ? json_integer(logical) : json_null());
	json_object_set_new(j, "numa_nodes", numa_nodes());
	json_object_set_new(j, "governor",
			    file_text("/sys/devices/system/cpu/cpu0/cpufreq", "scaling_governor"));
	free(model);
	return j;
}

/* sysfs folder of the whole disk behind a device number, or NULL. Caller frees. */
static char *disk_dir(dev_t dev)
{
	char *link = mem_printf("/sys/dev/block/%u:%u", major(dev), minor(dev));
	char *dir = realpath(link, NULL), *mark, *slash;

	free(link);
	if (!dir)
		return NULL;
	mark = mem_printf("%s/partition", dir);
	slash = strrchr(dir, '/');
	if (!access(mark, F_OK) && slash)
		*slash = '\0'; /* a partition's folder lies in its disk's */
	free(mark);
	return dir;
}

/* The type of the file system mounted from device number `dev`, or NULL. Caller frees. */
static char *filesystem_of(dev_t dev)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char *line = NULL, *out = NULL;
	size_t cap = 0;

	while (f && !out && getline(&line, &cap, f) > 0) {
		unsigned int maj, min;
		char *dash = strstr(line, " - ");

		if (sscanf(line, "%*s %*s %u:%u", &maj, &min) == 2 && makedev(maj, min) == dev &&
		    dash)
			out = mem_copy_n(dash + 3, strcspn(dash + 3, " "));
	}
	free(line);
	if (f)
		fclose(f);
	return out;
}

static json_t *queue_of(const char *disk)
{
	static const char *const numbers[] = {"nr_requests", "logical_block_size",
					      "physical_block_size", "rotational", "io_poll"};
	static const char *const texts[] = {"scheduler", "write_cache"};
	char *dir = mem_printf("%s/queue", disk);
	json_t *j = json_object();

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		json_object_set_new(j, numbers[i], file_number(dir, numbers[i]));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		json_object_set_new(j, texts[i], file_text(dir, texts[i]));
	free(dir);
	return j;
}

/*
 * What tells a device from another one of its model, and from what has its name after the next
 * boot. Null for what has no such thing.
 */
static json_t *device_id(const char *disk)
{
	static const char *const files[] = {"wwid",    "device/wwid", "device/serial",	  "serial",
					    "dm/uuid", "md/uuid",     "loop/backing_file"};
	json_t *id = json_null();

	for (size_t i = 0; json_is_null(id) && i < sizeof(files) / sizeof(files[0]); i++)
		id = file_text(disk, files[i]);
	return id;
}

/* sysfs counts in 512 bytes, whatever the device's blocks are. */
static json_t *device_bytes(const char *disk)
{
	json_t *sectors = file_number(disk, "size");
	json_int_t n = json_integer_value(sectors);

	json_decref(sectors);
	return n > 0 ? json_integer(n * 512) : json_null();
}

/* A file that is not there yet lives where its folder does. */
static int stat_place(const char *path, struct stat *st)
{
	char *folder;
	int ret = stat(path, st);

	if (!ret || errno != ENOENT)
		return ret;
	folder = target_folder_of(path);
	ret = stat(folder, st);
	free(folder);
	return ret;
}

json_t *environment_target(const struct target *t)
{
	json_t *j = json_object();
	char *disk = NULL, *fs = NULL, *name;
	struct stat st;

	if (!stat_place(t->path, &st)) {
		disk = disk_dir(S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev);
		if (!S_ISBLK(st.st_mode))
			fs = filesystem_of(st.st_dev);
	}
	name = disk ? strrchr(disk, '/') + 1 : NULL;
	json_object_set_new(j, "name", json_string(t->name));
	json_object_set_new(j, "device", text_or_null(name));
	json_object_set_new(j, "device_model",
			    disk ? file_text(disk, "device/model") : json_null());
	json_object_set_new(j, "device_firmware",
			    disk ? file_text(disk, "device/firmware_rev") : json_null());
	json_object_set_new(j, "device_id", disk ? device_id(disk) : json_null());
	json_object_set_new(j, "device_bytes", disk ? device_bytes(disk) : json_null());
	json_object_set_new(j, "plugin", fingerprint(target_plugin(t)));
	json_object_set_new(j, "filesystem", text_or_null(fs));
	json_object_set_new(j, "queue", disk ? queue_of(disk) : json_null());
	free(disk);
	free(fs);
	return j;
}

json_t *environment_collect(const char *fio, const char *fio_version, const struct target *targets,
			    size_t n)
{
	char *memory = proc_value("/proc/meminfo", "MemTotal");
	json_t *j = json_object(), *list = json_array();
	struct utsname u;
	int known = !uname(&u);

	json_object_set_new(j, "fio",
			    json_pack("{s:o, s:o, s:o}", "version", text_or_null(fio_version),
				      "path", text_or_null(fio), "fingerprint", fingerprint(fio)));
	json_object_set_new(j, "fiopack", json_string(FIOPACK_VERSION));
	json_object_set_new(j, "kernel",
			    json_pack("{s:o, s:o}", "release",
				      text_or_null(known ? u.release : NULL), "version",
				      text_or_null(known ? u.version : NULL)));
	json_object_set_new(j, "hostname", text_or_null(known ? u.nodename : NULL));
	json_object_set_new(j, "cpu", cpu());
	json_object_set_new(j, "memory_bytes",
			    memory ? json_integer(strtoll(memory, NULL, 10) * 1024) : json_null());
	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, environment_target(&targets[i]));
	json_object_set_new(j, "targets", list);
	free(memory);
	return j;
}
