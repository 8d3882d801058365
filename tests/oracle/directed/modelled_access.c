/* What a model says that a function writes is written. */
#include <oracle.h>

static u8 buffer[8];
static void setup(void) {}
READ(r)
{
	return buffer[5];
}
WRITE(w)
{
	memcpy_fromio(buffer, NULL, 8);
	return 0;
}
DRIVER(.read = r, .write = w)
