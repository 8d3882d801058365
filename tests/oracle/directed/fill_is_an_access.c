/* A fill writes. */
#include <oracle.h>

static u8 buffer[8];
static void setup(void) {}
READ(r)
{
	return buffer[5];
}
WRITE(w)
{
	memset(buffer, 0, sizeof(buffer));
	return 0;
}
DRIVER(.read = r, .write = w)
