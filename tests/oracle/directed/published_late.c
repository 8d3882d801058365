/* A fresh object is private only until its address is stored. */
#include <oracle.h>

struct dev { int a; };
static struct dev *shared;
static void setup(void) {}
OPEN(o)
{
	struct dev *d = kzalloc(sizeof(*d), 0);
	if (!d)
		return -12;
	d->a = 1;
	WRITE_ONCE(shared, d);
	d->a = 2;
	return 0;
}
READ(r)
{
	struct dev *d = READ_ONCE(shared);
	return d ? d->a : 0;
}
DRIVER(.open = o, .read = r)
