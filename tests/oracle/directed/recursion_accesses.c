/* A call tree that recurses accesses what it mentions (rule 10). */
#include <oracle.h>

static int g;
static void setup(void) {}
static void deeper(unsigned int k)
{
	if (k == 0)
		g++;
	else
		deeper(k - 1);
}
READ(r)
{
	deeper(5);
	return 0;
}
DRIVER(.read = r)
