/* The address of a member is kept as a pointer to a number. */
#include <oracle.h>

struct dev { u32 n; u32 *where; };
static void setup(void) {}
OPEN(o)
{
	struct dev *d = kzalloc(sizeof(*d), 0);
	if (!d)
		return -12;
	d->where = &d->n;
	f->private_data = d;
	return 0;
}
READ(r)
{
	struct dev *d = f->private_data;
	if (d && d->where)
		*d->where = 1;
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
