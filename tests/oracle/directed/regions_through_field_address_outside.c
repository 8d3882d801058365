/* A pointer may be stored through the address of a field, in an object that code outside can reach. */
#include <oracle.h>

struct dev { int a; int *p; };
static struct dev dev;
static int g;
static void setup(void) {}
static void put(int **where, int *what)
{
	*where = what;
}
OPEN(o)
{
	struct dev *d = &dev;
	f->private_data = d;
	return 0;
}
IOCTL(i)
{
	struct dev *d = f->private_data;
	put(&d->p, &g);
	return 0;
}
READ(r)
{
	struct dev *d = f->private_data;
	int *p = READ_ONCE(d->p);
	if (p)
		*p = 1;
	return 0;
}
WRITE(w)
{
	g = 2;
	return 0;
}
DRIVER(.open = o, .read = r, .write = w, .unlocked_ioctl = i)
