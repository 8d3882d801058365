/* On one way a pointer is in memory, on the other nobody knows what. */
#include <oracle.h>

struct box { int *p; long rest[3]; };
static int *shared;
static void setup(void) {}
static int *get(struct box *b)
{
	return b->p;
}
static void put(struct box *b, int *p)
{
	b->p = p;
}
READ(r)
{
	struct box b;
	u32 way = rnd();
	int *x = kzalloc(4, 0);
	if (!x)
		return -12;
	if (way)
		put(&b, x);
	if (way)
		WRITE_ONCE(shared, get(&b));
	*x = 1;
	return 0;
}
WRITE(w)
{
	int *y = READ_ONCE(shared);
	if (y)
		*y = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
