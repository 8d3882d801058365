/* Bit-fields of one storage unit are written together. */
#include <oracle.h>

struct flags { unsigned int f1 : 3, f2 : 12, f3 : 9; };
struct bytes { u8 a, b, c, d; };
struct dev { int before; union { struct flags flags; struct bytes bytes; }; };
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
	d->flags.f3 = 1;
	return 0;
}
WRITE(w)
{
	struct dev *d = f->private_data;
	d->bytes.c = 2;
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
