/* A character may be a byte of anything. */
#include <oracle.h>

struct dev { int a, b; };
static struct dev dev;
static u8 *bytes;
static void setup(void)
{
	bytes = (u8 *)&dev;
}
READ(r)
{
	dev.b = 1;
	return 0;
}
WRITE(w)
{
	bytes[5] = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
