/* What the body of a loop gives back is not held in later iterations. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
READ(r)
{
	mutex_lock(&m);
	for (int i = 0; i < 2; i++) {
		g++;
		if (i == 0)
			mutex_unlock(&m);
	}
	return 0;
}
DRIVER(.read = r)
