/* The address of a struct is that of its first member. */
#include <oracle.h>

struct dev { int *p; int a; };
static struct dev dev;
static int g;
static void put(int **where, int *what)
{
	*where = what;
}
static void set(struct dev *d)
{
	put((int **)d, &g);
}
static void setup(void)
{
	set(&dev);
}
READ(r)
{
	int *p = dev.p;
	*p = 1;
	return 0;
}
WRITE(w)
{
	g = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
