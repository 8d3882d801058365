/* The same, with the address of the inner struct kept in memory. */
#include <oracle.h>

struct inner { int x, v; };
struct dev { int a; struct inner in; };
static struct dev dev;
static struct inner *in;
static void setup(void)
{
	in = &dev.in;
}
READ(r)
{
	dev.in.v = 1;
	return 0;
}
WRITE(w)
{
	in->v = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
