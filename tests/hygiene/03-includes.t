#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Who may include whom. fio's headers own names like json_ and td_, so they stay
# behind one file; core is plain C that is tested without fio; a library is known
# to as few files as can be.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$SRC" || exit 1

# includes KIND FILE...: "file header" lines; KIND is q for "header", a for <header>
includes()
{
    local from='"' to='"'
    [ "$1" = q ] || from='<' to='>'
    shift
    grep -HE "^[[:space:]]*#[[:space:]]*include[[:space:]]*$from" "$@" /dev/null |
        sed -E "s/^([^:]*):.*$from([^$to]*)$to.*/\1 \2/"
}
mapfile -t engine < <(find engines -maxdepth 1 -name '*.c' ! -name 'fio_*.c')
mapfile -t core < <(find engines/core -name '*.[ch]')
mapfile -t scripts < <(find scripts -name '*.[ch]')
mapfile -t all < <(find engines scripts -name '*.[ch]')

# the check sees what it should
printf '#include "fio.h"\n  # include <liburing.h>\n' > "$TMP/x.c"
is "the check sees quoted headers" "$(includes q "$TMP/x.c")" "$TMP/x.c fio.h"
is "the check sees others" "$(includes a "$TMP/x.c")" "$TMP/x.c liburing.h"

# fio's headers: those a tree of its source has at its top
fio_header='(\.\./)*(fio|optgroup|ioengines|io_u|thread_options|file|options|parse|json|debug|filelock|smalloc|os/.*|lib/.*|crc/.*|oslib/.*|arch/.*)\.h'
is "only fio_glue includes fio's headers" "$(includes q "${all[@]}" | grep -v '^engines/fio_glue\.[ch] ' | grep -Ex "[^ ]* $fio_header")" ""
is "nor by angle brackets" "$(includes a "${all[@]}" | grep -Ex '[^ ]* (fio|optgroup|ioengines|thread_options)\.h')" ""
is "engines include fio_glue, core, the version and the configuration" \
    "$(includes q "${engine[@]}" | grep -Evx '[^ ]* ((fio_(glue|async)|uring)\.h|core/[a-z_]+\.h|version\.h|build-config\.h)')" ""
is "core includes core" "$(includes q "${core[@]}" | grep -Evx '[^ ]* ((core/)?[a-z_]+\.h)')" ""
is "liburing.h is for ring.c" "$(includes a "${all[@]}" | grep -Ex '[^ ]* liburing\.h' | grep -v '^engines/core/ring\.c ')" ""
is "libaio.h is for laio.c" "$(includes a "${all[@]}" | grep -Ex '[^ ]* libaio\.h' | grep -v '^engines/laio\.c ')" ""
is "engines include no JSON or XML library" "$(includes a "${engine[@]}" "${core[@]}" | grep -E ' (jansson|yajl|expat)')" ""
is "scripts include three headers of engines" \
    "$(includes q "${scripts[@]}" | grep -E ' (.*/)?(engines|core)/' | grep -Evx '[^ ]* engines/(version|core/safety|core/err)\.h')" ""
# shellcheck disable=SC2046 # names without blanks
is "the normalizer does not include the runner" "$(includes q $(find scripts/normalize -name '*.[ch]') | grep -E ' (.*/)?fiopack/')" ""
is "yajl is for streaming readers" "$(includes a "${all[@]}" | grep -E ' yajl/' | grep -Ev '^scripts/normalize/[a-z_]*(stream|yajl)[a-z_]*\.[ch] ')" ""
is "nobody has both yajl's and jansson's headers" \
    "$(comm -12 <(includes a "${all[@]}" | grep ' yajl/' | cut -d' ' -f1 | sort -u) \
        <(includes a "${all[@]}" | grep ' jansson' | cut -d' ' -f1 | sort -u))" ""
done_testing
