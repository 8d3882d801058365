/* What the body of a loop stores in private memory is seen by later iterations. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
static void advance(int *p)
{
	*p = *p + 1;
}
READ(r)
{
	int k[2] = { 0, 0 };
	int *p = &k[rnd() & 1];
	for (int i = 0; i < 3; i++) {
		if (k[0] == 2)
			g++;
		advance(&k[0]);
	}
	return 0;
}
DRIVER(.read = r)
