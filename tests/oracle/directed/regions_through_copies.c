/* A pointer may come by a copy. */
#include <oracle.h>

static int g;
static int *source[2], *target[2];
static void setup(void)
{
	source[1] = &g;
	memcpy(target, source, sizeof(target));
}
READ(r)
{
	*target[1] = 1;
	return 0;
}
WRITE(w)
{
	g = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
