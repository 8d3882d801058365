/* Two calls on one open file run at the same time. */
#include <oracle.h>

struct dev { int a; };
static void setup(void) {}
OPEN(o)
{
	f->private_data = kzalloc(sizeof(struct dev), 0);
	return 0;
}
READ(r)
{
	struct dev *d = f->private_data;
	if (d)
		d->a++;
	return 0;
}
DRIVER(.open = o, .read = r)
