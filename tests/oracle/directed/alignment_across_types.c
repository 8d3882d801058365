/* Structs of two types may begin at different places and overlap. */
#include <oracle.h>

struct inner { int x, v; };
struct dev { int a, b; struct inner in; };
static struct dev dev;
static void setup(void) {}
OPEN(o)
{
	f->private_data = &dev;
	return 0;
}
READ(r)
{
	struct dev *d = f->private_data;
	d->in.x = 1;
	return 0;
}
WRITE(w)
{
	struct inner *in = (struct inner *)((char *)f->private_data + 8);
	in->x = 2;
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
