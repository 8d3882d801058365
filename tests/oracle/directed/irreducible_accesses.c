/* A function with a jump into a loop accesses what it mentions (rule 10). */
#include <oracle.h>

static int g;
static void setup(void) {}
static void jumps(unsigned int k)
{
	if (k & 1)
		goto inside;
	while (k) {
		k -= 2;
inside:
		g++;
		if (k < 2)
			return;
	}
}
READ(r)
{
	jumps(1);
	return 0;
}
DRIVER(.read = r)
