/* A block of bytes behind an untyped pointer has members. */
#include <oracle.h>

struct dev { u32 n; u32 k; };
static void setup(void) {}
OPEN(o)
{
	struct dev *d = kzalloc(sizeof(*d), 0);
	if (!d)
		return -12;
	f->private_data = d;
	return 0;
}
READ(r)
{
	void *p = f->private_data;
	if (p)
		memset(p, 0, 8);
	return 0;
}
WRITE(w)
{
	struct dev *d = f->private_data;
	if (d)
		d->n = 2;
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
