#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Where resources or permissions end: 200 jobs of depth 1024, 64 KiB of locked memory, system calls
# that a sandbox refuses (a real seccomp filter). It works, or one sentence says what to do and names
# the other engine.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
each_engine
file=$TMP/data
random_file "$file" 4M
LIMIT=240
crowd=(--filename="$file" --rw=randread --bs=4k --size=256k --iodepth=1024 --numjobs=200)

# --- a crowd ---
# no_more_than_works_or_says NAME REGEX: all jobs did their I/O, or one sentence says why some did not
works_or_says()
{
    local name=$1 want=$2 n
    n=$(sentences | grep -c .)
    sed -i '/^fio: /d' "$TMP/out"
    if [ "$rc" -eq 0 ]; then
        is "$name: works" "$n $(total 'jobs.*.read.total_ios')" "0 12800"
    else
        is "$name: one sentence" "$n" 1
        like "$name: it says what to do" "$(sentences)" "$want"
    fi
}
case $ENGINE in
uring) advice='RLIMIT_MEMLOCK.*lower iodepth or numjobs.*laio' ;;
laio) advice='fs.aio-max-nr.*lower iodepth or numjobs' ;;
esac
ours "${crowd[@]}"
works_or_says "200 jobs of depth 1024" "$advice"
ours "${crowd[@]}" --thread
works_or_says "200 threads of depth 1024" "$advice"
if is_root && command -v setpriv > /dev/null; then
    cp "$PLUGIN" "$TMP/plugin.so"
    chmod 644 "$TMP/plugin.so" "$file"
    mkdir -m 777 "$TMP/open"
    cat > "$TMP/nobody" <<END
#!/bin/sh
cd "$TMP/open" || exit 9
exec prlimit --memlock=65536:65536 setpriv --reuid=65534 --regid=65534 --clear-groups "$FIO" "\$@"
END
    chmod 755 "$TMP/nobody"
    FIO=$TMP/nobody OURS=external:$TMP/plugin.so ours "${crowd[@]}"
    works_or_says "200 jobs of depth 1024 with 64 KiB of locked memory" "$advice"
    FIO=$TMP/nobody OURS=external:$TMP/plugin.so fine "one job of depth 32 with 64 KiB of locked memory" --filename="$file" \
        --rw=randread --bs=4k --size=1m --iodepth=32
else
    skip "64 KiB of locked memory" "needs root and setpriv (util-linux)"
fi

# --- a sandbox ---
cat > "$TMP/without.c" <<'END'
/* without CALL[,CALL...] PROGRAM ARG...: run it where these system calls are refused with EPERM */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sock_filter f[64] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
	struct sock_fprog p = {.len = 1, .filter = f};

	if (argc < 3)
		return 9;
	for (char *c = strtok(argv[1], ","); c; c = strtok(NULL, ",")) {
		f[p.len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)atoi(c), 0, 1);
		f[p.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	}
	f[p.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p))
		return 8;
	execv(argv[2], argv + 2);
	return 7;
}
END
number_of()
{
    echo "#include <sys/syscall.h>
SYS_$1" | "$CC" -E -P - | tail -n 1
}
if "$CC" -o "$TMP/without" "$TMP/without.c" 2> "$TMP/cc.err" && "$TMP/without" "$(number_of io_uring_setup)" /bin/true; then
    # sandbox CALL...: the fio of the tests, where these are refused
    sandbox()
    {
        local numbers="" call
        for call; do
            numbers+=,$(number_of "$call")
        done
        printf '#!/bin/sh\nexec "%s" "%s" "%s" "$@"\n' "$TMP/without" "${numbers#,}" "$real" > "$TMP/sandbox"
        chmod 755 "$TMP/sandbox"
        FIO=$TMP/sandbox
    }
    real=$FIO
    sandbox io_uring_setup
    on uring refused "io_uring is refused" 'io_uring is refused to this process.*seccomp.*laio' --filename="$file" --rw=read --bs=4k \
        --size=64k --iodepth=4
    on laio fine "laio runs where io_uring is refused" --filename="$file" --rw=randread --bs=4k --size=1m --iodepth=4
    sandbox io_uring_register
    on uring fine "without io_uring_register: nothing that needs it is needed" --filename="$file" --rw=randread --bs=4k --size=1m --iodepth=4
    on uring refused "without io_uring_register: registerfiles is" 'registerfiles.*drop registerfiles' --filename="$file" --rw=read \
        --bs=4k --size=64k --registerfiles
    sandbox io_uring_enter
    on uring refused "io_uring_enter is refused" 'io_uring_enter.*(refused|not permitted).*(seccomp|laio)' --filename="$file" --rw=read --bs=4k --size=64k
    sandbox io_setup
    on laio refused "AIO is refused" 'native AIO is refused.*seccomp.*uring' --filename="$file" --rw=read --bs=4k --size=64k
    sandbox io_getevents
    on laio fine "io_getevents is refused: io_pgetevents does" --filename="$file" --rw=randread --bs=64k --size=4m --iodepth=8 --direct=1
    sandbox io_submit
    on laio refused "io_submit is refused" 'Operation not permitted' --filename="$file" --rw=read --bs=4k --size=64k
else
    skip "system calls that are refused" "no seccomp filters here: $(head -n 1 "$TMP/cc.err")"
fi
done_testing
