/* A struct overlaps the struct that it is in. */
#include <oracle.h>

struct inner { int x, v; };
struct dev { int a; struct inner in; };
static struct dev *dev;
static void setup(void)
{
	dev = kzalloc(sizeof(*dev), 0);
}
static void put(struct inner *p)
{
	p->v = 1;
}
READ(r)
{
	dev->in.v = 1;
	return 0;
}
WRITE(w)
{
	struct inner *p = (struct inner *)((char *)dev + 4);
	put(p);
	return 0;
}
DRIVER(.read = r, .write = w)
