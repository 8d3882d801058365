// One function per construct that the front end must represent; see src/frontend/tests.rs.
#include <stdarg.h>
#include "helpers.h"

typedef unsigned long size_t;
void *memcpy(void *, const void *, size_t);

struct inner {
	int first;
	union {
		long as_long;
		struct {
			short low, high;
		};
	};
};

typedef struct {
	int counter;
} counter_t;

struct outer {
	unsigned flag_a : 3, flag_b : 7;
	unsigned long long wide : 40;
	_Bool ready;
	char name[16];
	struct inner items[4];
	counter_t count;
	struct opaque_type *opaque;
	int (*callback)(struct outer *self, long argument);
	struct outer *next;
};

static struct outer shared = { .ready = 1, .name = "abc", .next = &shared };
struct outer *head = &shared;
int *into_the_middle = &shared.items[2].first;
static const char long_text[] =
	"a text that is longer than two hundred and fifty-six bytes is of no use to any analysis of locks, "
	"and so are tables of data, of which there are many in drivers that send something to their device "
	"when it is switched on, or that know all devices by their names, or the colours of all its lights";

long field_path(struct outer *o, long i)
{
	return o->items[i].high;
}

int first_field(struct inner *inner)
{
	return inner->first;
}

int array_element(struct inner *base, int i)
{
	return base[i].first;
}

unsigned bit_field(struct outer *o)
{
	return o->flag_b;
}

int volatile_access(volatile int *p)
{
	*p = 1;
	return *p;
}

int atomic_access(int *p)
{
	__atomic_store_n(p, 2, __ATOMIC_RELEASE);
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

int read_modify_write(int *p, int v)
{
	return __atomic_fetch_add(p, v, __ATOMIC_RELAXED) + __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST);
}

_Bool compare_exchange(int *p, int expected, int v)
{
	return __atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

int overflow(unsigned a, unsigned b, int c, int d)
{
	unsigned sum;
	int product;
	if (__builtin_add_overflow(a, b, &sum) || __builtin_mul_overflow(c, d, &product))
		return -1;
	return sum + product;
}

int switching(int v)
{
	switch (v) {
	case 1: return 10;
	case 2:
	case 3: return 20;
	case -1: return 30;
	default: return 0;
	}
}

int asm_goto(int *p)
{
	asm goto("btl $1, %0; jc %l[set]" : : "m"(*p) : : set);
	return 0;
set:
	return 1;
}

int asm_outputs(int *p)
{
	int old;
	_Bool carry;
	asm volatile("lock; btsl $3, %0" : "+m"(*p), "=@ccc"(carry), "=r"(old) : : "memory");
	return carry + old;
}

int computed_goto(int i)
{
	static void *const targets[] = { &&a, &&b };
	goto *targets[i];
a:
	return 1;
b:
	return 2;
}

int indirect_call(struct outer *o)
{
	return o->callback(o, 7);
}

void copies(struct outer *to, struct outer *from)
{
	*to = *from;
	__builtin_memset(to->name, 0, sizeof(to->name));
}

double floating(double a, int b)
{
	return a * b + 1.0;
}

int variadic(int count, ...)
{
	va_list list;
	va_start(list, count);
	int first = va_arg(list, int);
	va_end(list);
	return first;
}

struct pair {
	struct outer *pointer;
	long number;
};

struct big {
	long values[5];
};

struct pair by_value(struct pair p, struct big b)
{
	p.number += b.values[1];
	return p;
}

long use_by_value(struct outer *o)
{
	struct big b = { { 1, 2, 3, 4, 5 } };
	struct pair p = { o, 3 };
	return by_value(p, b).number;
}

unsigned long pointer_arithmetic(char *p, struct outer *o, unsigned long bits)
{
	struct outer *container = (struct outer *)((char *)o - __builtin_offsetof(struct outer, count));
	void *made = (void *)(bits | 1);
	return (unsigned long)container + (p + 5 < (char *)made);
}

__int128 wide(__int128 a)
{
	return a + (((__int128)1) << 100);
}

void escaping_local(void)
{
	struct inner local;
	external_use(&local);
}

int helper_user(struct outer *o)
{
	return header_helper(&o->count.counter) + modelled_helper(o);
}

int recursion_user(int n)
{
	return header_even(n);
}

static int module_start(void)
{
	return helper_user(head) + long_text[0];
}
int init_module(void) __attribute__((alias("module_start")));

__attribute__((section(".init.text"))) void in_section(void)
{
}

asm(".section \".initcall6.init\", \"a\"\n__initcall_x:\n\t.long\tescaping_local - .\n.previous");
