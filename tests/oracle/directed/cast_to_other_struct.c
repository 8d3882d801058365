/* The same bytes under the names of another struct, in one embedded in both. */
#include <oracle.h>

struct head { int kind, count; };
struct dev { struct head head; int a; };
static struct dev dev;
static void setup(void) {}
READ(r)
{
	((struct head *)&dev)->count++;
	return 0;
}
WRITE(w)
{
	dev.head.count = 1;
	return 0;
}
DRIVER(.read = r, .write = w)
