/* A struct overlaps the struct that it is in. */
#include <oracle.h>

struct inner { int x, v; };
struct dev { int a; struct inner in; };
static struct dev dev;
static void setup(void) {}
static void put(struct inner *p)
{
	p->v = 1;
}
OPEN(o)
{
	f->private_data = &dev;
	return 0;
}
READ(r)
{
	struct dev *d = f->private_data;
	d->in.v = 1;
	return 0;
}
WRITE(w)
{
	put((struct inner *)((char *)f->private_data + 4));
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
