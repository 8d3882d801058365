/* A function may come back from any of its returns. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
static int check(void)
{
	if (rnd() & 1)
		return 1;
	return 0;
}
READ(r)
{
	if (check())
		return 0;
	g++;
	return 0;
}
WRITE(w)
{
	if (!check())
		return 0;
	g++;
	return 0;
}
DRIVER(.read = r, .write = w)
