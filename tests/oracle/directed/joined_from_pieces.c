/* A pointer is cut into halves, and what is put together from them is the same object. */
#include <oracle.h>

struct back {
	int x, level;
};
static struct back *back;
static struct mutex m;
static u32 lo, hi;

static void setup(void)
{
	back = kzalloc(sizeof(*back), 0);
	lo = (u32)(unsigned long)back;
	hi = (unsigned long)back >> 32;
}

READ(drv_read)
{
	return back ? back->level : 0;
}

WRITE(drv_write)
{
	mutex_lock(&m);
	if (lo | hi)
		((struct back *)((unsigned long)lo | (unsigned long)hi << 32))->level = 1;
	mutex_unlock(&m);
	return n;
}

DRIVER(.read = drv_read, .write = drv_write);
