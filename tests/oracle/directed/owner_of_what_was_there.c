/* A member gets a fresh object, or one that others know. */
#include <oracle.h>

struct dev { int *a; };
static int g;
static void setup(void) {}
OPEN(o)
{
	struct dev *d = kzalloc(sizeof(*d), 0);
	if (!d)
		return -12;
	if (rnd())
		d->a = kzalloc(4, 0);
	else
		d->a = &g;
	f->private_data = d;
	return 0;
}
READ(r)
{
	struct dev *d = f->private_data;
	if (d && d->a)
		*d->a = 1;
	return 0;
}
WRITE(w)
{
	g = 2;
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
