/* Structs of two types may begin at different places and overlap. */
#include <oracle.h>

struct inner { int x, v; };
struct dev { int a, b; struct inner in; };
static struct dev dev;
static struct inner *in;
static void setup(void)
{
	in = &dev.in;
}
READ(r)
{
	dev.in.x = 1;
	return 0;
}
WRITE(w)
{
	in->x = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
