/* A pointer that was read from the member that got a fresh object is stored to another. */
#include <oracle.h>

struct dev { int *a; int *b; };
static void setup(void) {}
OPEN(o)
{
	struct dev *d = kzalloc(sizeof(*d), 0);
	if (!d)
		return -12;
	d->a = kzalloc(4, 0);
	d->b = d->a;
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
	struct dev *d = f->private_data;
	if (d && d->b)
		*d->b = 2;
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
