/* Two readers do not exclude each other. */
#include <oracle.h>

static rwlock_t rw;
static int g;
static void setup(void) {}
READ(r)
{
	_raw_read_lock(&rw);
	g++;
	_raw_read_unlock(&rw);
	return 0;
}
DRIVER(.read = r)
