/* A flag that is tested and set in two steps owns nothing (rule 11). */
#include <oracle.h>

static int busy, g;
static void setup(void) {}
READ(r)
{
	if (READ_ONCE(busy))
		return -16;
	WRITE_ONCE(busy, 1);
	g++;
	WRITE_ONCE(busy, 0);
	return 0;
}
DRIVER(.read = r)
