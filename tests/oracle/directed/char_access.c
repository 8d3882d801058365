/* A character may be a byte of anything. */
#include <oracle.h>

struct dev { int a, b; };
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
	d->b = 1;
	return 0;
}
WRITE(w)
{
	u8 *bytes = f->private_data;
	bytes[5] = 2;
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
