// SPDX-License-Identifier: GPL-2.0-only
/*
 * value.c and units.c: texts to numbers and back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "scripts/normalize/units.h"
#include "scripts/normalize/value.h"

static void whole_numbers(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t value;
	} cases[] = {
		{"0", true, 0},
		{"4294967296", true, UINT64_C(4294967296)},
		{"18446744073709551615", true, UINT64_MAX},
		{"18446744073709551616", false, 0},
		{"1001.0", true, 1001},
		{"1e3", true, 1000},
		{"1e300", false, 0},
		{"-1", false, 0},
		{"", false, 0},
		{"x", false, 0},
		{"0x10", false, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t v = 0;

		assert_int_equal(value_uint(cases[i].text, strlen(cases[i].text), &v), cases[i].ok);
		assert_true(v == cases[i].value);
	}
}

static void durations(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t ms;
	} cases[] = {
		{"60", true, 60000},   {"60s", true, 60000},	{"5m", true, 300000},
		{"1h", true, 3600000}, {"1d", true, 86400000},	{"500ms", true, 500},
		{"1500us", true, 1},   {"soon", false, 0},	{"", false, 0},
		{"-5", false, 0},      {"5 parsecs", false, 0}, {"1e400", false, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t ms = 0;

		assert_int_equal(value_duration_ms(cases[i].text, &ms), cases[i].ok);
		assert_true(ms == cases[i].ms);
	}
}

static void engines(void **state)
{
	static const struct {
		const char *text, *name;
	} cases[] = {
		{"psync", "psync"},	      {"external:/usr/lib/fio/fio-uring.so", "uring"},
		{"external:./own.so", "own"}, {"external:fio-x.so", "x"},
		{"external:/", ""},
	};
	char name[32], small[4];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		value_engine(cases[i].text, name, sizeof(name));
		assert_string_equal(name, cases[i].name);
	}
	value_engine("libaio", small, sizeof(small));
	assert_string_equal(small, "lib");
	assert_true(value_engine_is_synchronous("psync"));
	assert_false(value_engine_is_synchronous("uring"));
}

static void vms(void **state)
{
	unsigned int vm = 0;
	size_t len = 0;

	(void)state;
	assert_true(value_vm("B4-T2-O32-W0-PR.vm12", &len, &vm));
	assert_int_equal(len, 15);
	assert_int_equal(vm, 12);
	assert_false(value_vm("B4.vm", &len, &vm));
	assert_false(value_vm("B4.vmx", &len, &vm));
	assert_false(value_vm("B4.vm1x", &len, &vm));
	assert_false(value_vm("B4.vm-1", &len, &vm));
	assert_false(value_vm(".vm1", &len, &vm));
	assert_false(value_vm("B4.vm99999999999999999999", &len, &vm));
	assert_false(value_vm("plain", &len, &vm));
}

static void printed(void **state)
{
	double factor = 0;

	(void)state;
	assert_string_equal(units_count(2953095).s, "2,953,095");
	assert_string_equal(units_count(999).s, "999");
	assert_string_equal(units_count(0).s, "0");
	assert_string_equal(units_count(1e30).s, "1e+30");
	assert_string_equal(units_short(63.06).s, "63.1");
	assert_string_equal(units_short(0.083).s, "0.0830");
	assert_string_equal(units_short(9.996).s, "10.0");
	assert_string_equal(units_short(99.96).s, "100");
	assert_string_equal(units_short(1234).s, "1,234");
	assert_string_equal(units_short(0).s, "0.00");
	assert_string_equal(units_latency(242e3).s, "242 us");
	assert_string_equal(units_latency(999.6e3).s, "1.00 ms");
	assert_string_equal(units_latency(4e6).s, "4.00 ms");
	assert_string_equal(units_latency(12).s, "12.0 ns");
	assert_string_equal(units_latency(2.5e9).s, "2.50 s");
	assert_string_equal(units_bandwidth(63e9, "GB/s").s, "63.0 GB/s");
	assert_string_equal(units_bandwidth(0x1p30, "GiB/s").s, "1.00 GiB/s");
	assert_string_equal(units_bytes(536870912).s, "512 MiB");
	assert_string_equal(units_bytes(1).s, "1 B");
	/* SI and IEC are never the same */
	assert_true(units_factor(METRIC_BANDWIDTH, "GB/s", &factor) && factor == 1e9);
	assert_true(units_factor(METRIC_BANDWIDTH, "GiB/s", &factor) && factor == 1073741824.0);
	assert_false(units_factor(METRIC_IOPS, "GB/s", &factor));
	assert_false(units_factor(METRIC_BANDWIDTH, "GB", &factor));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers), cmocka_unit_test(durations),
		cmocka_unit_test(engines),	 cmocka_unit_test(vms),
		cmocka_unit_test(printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
