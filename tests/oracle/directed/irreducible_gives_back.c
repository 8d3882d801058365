/* And gives back what it gives back. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
static void jumps(unsigned int k)
{
	if (k & 1)
		goto inside;
	while (k) {
		k -= 2;
inside:
		mutex_unlock(&m);
		if (k < 2)
			return;
	}
}
READ(r)
{
	mutex_lock(&m);
	jumps(1);
	g++;
	return 0;
}
DRIVER(.read = r)
