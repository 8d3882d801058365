/* A copy reads and writes. */
#include <oracle.h>

struct inner { int x, v; };
static struct inner in;
static void setup(void) {}
READ(r)
{
	struct inner mine;
	memcpy(&mine, &in, sizeof(mine));
	return mine.v;
}
WRITE(w)
{
	struct inner mine = { 1, 2 };
	in = mine;
	return 0;
}
DRIVER(.read = r, .write = w)
