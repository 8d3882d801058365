/* Two structs in one union are the same bytes. */
#include <oracle.h>

struct point { int x, y; };
struct range { int from, to; };
union mix { struct point p; struct range r; };
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
	d->p.y = 1;
	return 0;
}
WRITE(w)
{
	union mix *d = f->private_data;
	d->r.to = 2;
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
