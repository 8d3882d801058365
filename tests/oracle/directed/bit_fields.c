/* Bit-fields of one storage unit are written together. */
#include <oracle.h>

union mix { struct { unsigned int f1 : 3, f2 : 12, f3 : 9; }; u8 c[4]; };
static union mix dev;
static void setup(void) {}
OPEN(o)
{
	f->private_data = &dev;
	return 0;
}
READ(r)
{
	union mix *d = f->private_data;
	d->f3 = 1;
	return 0;
}
WRITE(w)
{
	union mix *d = f->private_data;
	d->c[2] = 2;
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
