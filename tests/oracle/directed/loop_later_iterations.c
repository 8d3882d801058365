/* Not only the first iteration counts. */
#include <oracle.h>

static int g;
static void setup(void) {}
READ(r)
{
	for (int i = 0; i < 3; i++)
		if (i == 2)
			g++;
	return 0;
}
DRIVER(.read = r)
