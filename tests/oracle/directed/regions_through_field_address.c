/* A pointer may be stored through the address of the field. */
#include <oracle.h>

struct dev { int a; int *p; };
static struct dev dev;
static int g;
static void put(int **where, int *what)
{
	*where = what;
}
static void setup(void)
{
	put(&dev.p, &g);
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
