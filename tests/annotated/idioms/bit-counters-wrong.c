/* A division by 64 that finds the word of no bit: counters are in members that follow each other. */
#include <linux/uaccess.h>

struct stats { u64 dropped; u64 q0; u64 q1; u64 q2; u64 q3; };
void demo_rx(struct stats *s, unsigned long id)
{
	u64 *q = &s->q0;
	q += id / 64;
	(*q)++; // RACE!
}
EXPORT_SYMBOL(demo_rx);
u64 demo_get(struct stats *s, int n)
{
	return s->q2; // RACE!
}
EXPORT_SYMBOL(demo_get);
