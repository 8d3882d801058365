/* A switch has a default. */
#include <oracle.h>

static int g;
static void setup(void) {}
IOCTL(i)
{
	switch (rnd()) {
	case 5:
		return 0;
	case 6:
		return 1;
	default:
		g++;
	}
	return 0;
}
DRIVER(.unlocked_ioctl = i)
