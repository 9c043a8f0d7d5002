# SPDX-License-Identifier: GPL-2.0-only
#
# One Makefile for everything; ./configure has found out what there is to build.
# Nothing is ever written outside build/ (and, for demo, results/).
#
#   make [V=1]        plugins and the fiopack command
#   make check        all tests                 make bench     speed against fio's own engines
#   make demo         the main job on a scratch file, and its table
#   make install      DESTDIR=, and ./configure --prefix= --libdir=
#   make uninstall clean distclean

SRC ?= .
B := build

ifeq ($(wildcard $(B)/build-config.mak),)
ifeq ($(filter clean distclean,$(MAKECMDGOALS)),)
$(error run ./configure first (./configure --install-deps also installs what is missing))
endif
endif
-include $(B)/build-config.mak

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-6s %s\n'
endif

OPT ?= -O2 -g
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
	-Wwrite-strings -Wvla $(if $(filter yes,$(WERROR)),-Werror)
BASE := -std=gnu11 $(OPT) $(WARN) -MMD -MP
SAN := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# Plugins are never built with sanitizers: the fio that loads them is not.
HOST := $(BASE) -D_GNU_SOURCE -I$(SRC) -I$(B) $(if $(filter yes,$(SANITIZERS)),$(SAN))
PLUGIN := $(BASE) -fPIC -fno-plt -fvisibility=hidden -I$(SRC)/engines -I$(B)

BINDIR := $(PREFIX)/bin
PLUGINDIR := $(LIBDIR)/fio
PROFILEDIR := $(PREFIX)/share/fiopack/profiles

# What of engines/core each engine links, and all of it, for the unit tests.
CORE_uring := err joblog ring safety
CORE_laio := err joblog safety
CORE := $(sort $(CORE_uring) $(CORE_laio))
# the sources of an engine beyond the one that has its name
PARTS_uring := uring_io
CFLAGS_uring_io = $(CFLAGS_uring)
PLUGINS := $(ENGINES:%=$(B)/fio-%.so)
TARGETS := $(PLUGINS) $(if $(filter yes,$(COMMAND)),$(B)/fiopack $(B)/profiles)

.PHONY: all
all: $(TARGETS)

# --- plugins ---------------------------------------------------------------

glue_objs := $(B)/engines/fio_glue.o $(B)/engines/fio_async.o

$(B)/engines/core/%.o: $(SRC)/engines/core/%.c | $(B)/dirs
	$(say) CC $@
	$(Q)$(CC) $(PLUGIN) -D_GNU_SOURCE $(CFLAGS_uring) $(CFLAGS) -c -o $@ $<

$(B)/engines/%.o: $(SRC)/engines/%.c | $(B)/dirs
	$(say) CC $@
	$(Q)$(CC) $(PLUGIN) $(FIO_CPPFLAGS) $(CFLAGS_$*) $(CFLAGS) -c -o $@ $<

# -z now: a function this fio lacks fails at load, not in the middle of a job.
# -z nodelete: fio closes plugins from worker threads that may still run in them.
.SECONDEXPANSION:
$(B)/fio-%.so: $(B)/engines/%.o $(glue_objs) $$(addprefix $(B)/engines/,$$(addsuffix .o,$$(PARTS_$$*))) \
		$$(addprefix $(B)/engines/core/,$$(addsuffix .o,$$(CORE_$$*))) $(SRC)/engines/engine.map
	$(say) LINK $@
	$(Q)$(CC) $(OPT) -shared -o $@ $(filter %.o,$^) -Wl,--version-script=$(SRC)/engines/engine.map \
		-Wl,-Bsymbolic -Wl,-z,now -Wl,-z,nodelete -Wl,--as-needed $(LIBS_$*) $(LDFLAGS)

# --- the command -----------------------------------------------------------

command_srcs := $(wildcard $(SRC)/scripts/fiopack/*.c $(SRC)/scripts/normalize/*.c)
command_objs := $(command_srcs:$(SRC)/%.c=$(B)/%.o) $(B)/host/safety.o $(B)/host/err.o

command_defs = -DFIOPACK_PROFILES_DIR='"$(PROFILEDIR)"' -DFIOPACK_PLUGIN_DIR='"$(PLUGINDIR)"' \
	-DFIOPACK_FIO='"$(FIO)"'

$(B)/scripts/%.o: $(SRC)/scripts/%.c | $(B)/dirs
	$(say) CC $@
	$(Q)$(CC) $(HOST) $(CFLAGS_command) $(CFLAGS) $(command_defs) -c -o $@ $<

$(B)/host/%.o: $(SRC)/engines/core/%.c | $(B)/dirs
	$(say) CC $@
	$(Q)$(CC) $(HOST) -I$(SRC)/engines $(CFLAGS_uring) $(CFLAGS) -c -o $@ $<

$(B)/fiopack: $(command_objs)
	$(say) LINK $@
	$(Q)$(CC) $(HOST) -o $@ $^ $(LIBS_command) -lm $(LDFLAGS)

# so that build/fiopack finds the profiles as the installed one does
$(B)/profiles: | $(B)/dirs
	$(Q)ln -sfn $(abspath $(SRC))/profiles $@

# --- tests -----------------------------------------------------------------

unit_names := $(if $(filter yes,$(TESTS)),$(patsubst $(SRC)/tests/unit/%.c,%,$(wildcard $(SRC)/tests/unit/test-*.c)))
ifneq ($(COMMAND),yes)
unit_names := $(filter-out test-norm-% test-run-%,$(unit_names))
endif
ifeq ($(ENGINES),)
unit_names := $(filter-out test-ring,$(unit_names))
endif
unit_bins := $(unit_names:%=$(B)/unit/%) $(unit_names:%=$(B)/unit-san/%)

# A unit test links what it may test: the core for engines, everything but main() for the
# command; once as it is built for use and once with the sanitizers.
unit_for_command := $(filter test-norm-% test-run-%,$(unit_names))
plain_command := $(filter-out %/main.o,$(command_objs))
plain_core := $(CORE:%=$(B)/host/%.o)
san_command := $(plain_command:$(B)/%=$(B)/san/%)
san_core := $(plain_core:$(B)/%=$(B)/san/%)
UNIT := $(BASE) -D_GNU_SOURCE -I$(SRC) -I$(SRC)/engines -I$(B) $(CFLAGS_command) $(CFLAGS_cmocka) $(CFLAGS)

$(B)/san/scripts/%.o: $(SRC)/scripts/%.c | $(B)/dirs
	$(say) CC $@
	$(Q)$(CC) $(HOST) $(SAN) $(CFLAGS_command) $(CFLAGS) $(command_defs) -c -o $@ $<

$(B)/san/host/%.o: $(SRC)/engines/core/%.c | $(B)/dirs
	$(say) CC $@
	$(Q)$(CC) $(HOST) $(SAN) -I$(SRC)/engines $(CFLAGS_uring) $(CFLAGS) -c -o $@ $<

$(unit_for_command:%=$(B)/unit/%): $(plain_command)
$(unit_for_command:%=$(B)/unit-san/%): $(san_command)
$(patsubst %,$(B)/unit/%,$(filter-out $(unit_for_command),$(unit_names))): $(plain_core)
$(patsubst %,$(B)/unit-san/%,$(filter-out $(unit_for_command),$(unit_names))): $(san_core)
unit_libs = $(if $(filter $(unit_for_command),$*),$(LIBS_command) -lm,$(LIBS_uring)) $(LIBS_cmocka) $(LDFLAGS)

.SECONDARY:
$(B)/unit/%: $(SRC)/tests/unit/%.c | $(B)/dirs
	$(say) CC $@
	$(Q)$(CC) $(UNIT) $(if $(filter yes,$(SANITIZERS)),$(SAN)) -o $@ $(filter %.c %.o,$^) $(unit_libs)

$(B)/unit-san/%: $(SRC)/tests/unit/%.c | $(B)/dirs
	$(say) CC $@
	$(Q)$(CC) $(UNIT) $(SAN) -o $@ $(filter %.c %.o,$^) $(unit_libs)

scripts_t := $(sort $(wildcard $(SRC)/tests/*/*.t))

.PHONY: check
check: $(TARGETS) $(unit_bins)
	$(Q)cd $(SRC) && env SRC="$(abspath $(SRC))" BUILD="$(abspath $(B))" FIO="$(FIO)" CC="$(CC)" \
		FIO_SRC="$(FIO_SRC)" ENGINES="$(ENGINES)" COMMAND="$(COMMAND)" FIOPACK="$(abspath $(B))/fiopack" \
		CMOCKA_MESSAGE_OUTPUT=TAP MAKEFLAGS= \
		$(abspath $(SRC))/tests/run.sh $(abspath $(unit_bins)) $(abspath $(scripts_t))

# BENCH_QUICK=1, BENCH_ONLY=REGEX and the others in tests/bench/*.sh go on the command line of make
.PHONY: bench
bench: $(TARGETS)
	$(Q)cd $(SRC) && export SRC="$(abspath $(SRC))" BUILD="$(abspath $(B))" FIO="$(FIO)" FIO_SRC="$(FIO_SRC)" && \
		bash tests/bench/instructions.sh; counts=$$?; echo; bash tests/bench/bench.sh; \
		case $$counts$$? in 00 | 03 | 30) ;; *) exit 1 ;; esac

.PHONY: demo
demo: all
	$(Q)$(B)/fiopack run r640 --quick

# --- install ---------------------------------------------------------------

.PHONY: install
install: all
	$(Q)install -d $(DESTDIR)$(PLUGINDIR) $(DESTDIR)$(BINDIR) $(DESTDIR)$(PROFILEDIR)
	$(Q)$(if $(PLUGINS),install -m 644 $(PLUGINS) $(DESTDIR)$(PLUGINDIR)/)
ifeq ($(COMMAND),yes)
	$(Q)install -m 755 $(B)/fiopack $(DESTDIR)$(BINDIR)/
	$(Q)for d in $(SRC)/profiles/*/; do \
		install -d $(DESTDIR)$(PROFILEDIR)/$$(basename $$d) && \
		install -m 644 $$d/* $(DESTDIR)$(PROFILEDIR)/$$(basename $$d)/ || exit 1; done
endif

.PHONY: uninstall
uninstall:
	$(Q)rm -f $(ENGINES:%=$(DESTDIR)$(PLUGINDIR)/fio-%.so) $(DESTDIR)$(BINDIR)/fiopack
	$(Q)for d in $(SRC)/profiles/*/; do rm -rf $(DESTDIR)$(PROFILEDIR)/$$(basename $$d); done
	$(Q)rmdir -p --ignore-fail-on-non-empty $(DESTDIR)$(PROFILEDIR) $(DESTDIR)$(PLUGINDIR) 2>/dev/null || true

.PHONY: clean distclean
clean:
	$(Q)rm -rf $(B)/engines $(B)/scripts $(B)/host $(B)/san $(B)/unit $(B)/unit-san $(B)/*.so $(B)/fiopack $(B)/profiles $(B)/dirs

distclean:
	$(Q)rm -rf $(B)

$(B)/dirs:
	$(Q)mkdir -p $(B)/engines/core $(B)/scripts/fiopack $(B)/scripts/normalize $(B)/host $(B)/unit $(B)/unit-san \
		$(B)/san/scripts/fiopack $(B)/san/scripts/normalize $(B)/san/host
	$(Q)touch $@

-include $(wildcard $(B)/engines/*.d $(B)/engines/core/*.d $(B)/scripts/*/*.d $(B)/host/*.d $(B)/san/*/*.d $(B)/san/*/*/*.d $(B)/unit/*.d $(B)/unit-san/*.d)
