/* A struct may be filled by a copy of something that is no struct. */
#include <oracle.h>

struct dev { int *p; int *q; };
static struct dev dev;
static int g;
static int *source[2];
static void setup(void)
{
	source[1] = &g;
	memcpy(&dev, source, sizeof(dev));
}
READ(r)
{
	int *p = dev.q;
	*p = 1;
	return 0;
}
WRITE(w)
{
	g = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
