/* An atomic update writes. */
#include <oracle.h>

static atomic_t count;
static void setup(void) {}
READ(r)
{
	return count.counter;
}
WRITE(w)
{
	atomic_inc(&count);
	return 0;
}
DRIVER(.read = r, .write = w)
