/* The address of a function leaves in pieces, as descriptors of the hardware have it: who puts them together may call it. */
// verdict: potential
#include <linux/init.h>
#include <linux/module.h>
#include <linux/types.h>

struct gate {
	u16 low;
	u16 middle;
	u32 high;
};

extern struct gate demo_gate;
static int calls;

static int demo_called(int why)
{
	calls++; // RACE!
	return 0;
}

static int __init demo_init(void)
{
	unsigned long address = (unsigned long)demo_called;

	demo_gate.low = address;
	demo_gate.middle = address >> 16;
	demo_gate.high = address >> 32;
	calls = 1; // RACE!
	return 0;
}
module_init(demo_init);
