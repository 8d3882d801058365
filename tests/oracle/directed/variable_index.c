/* An index that is not known may be any element. */
#include <oracle.h>

struct dev { int arr[4]; };
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
	d->arr[3] = 1;
	return 0;
}
WRITE(w)
{
	struct dev *d = f->private_data;
	d->arr[rnd() & 3] = 2;
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
