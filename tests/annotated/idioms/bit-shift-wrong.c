/* A shift by six that finds the word of no bit: registers are addressed by their bits. */
#include <linux/uaccess.h>
static DEFINE_MUTEX(lock);

struct shadow { u64 pad; u64 ctrl; u64 status; u64 mask; };
int demo_write(struct shadow *s, size_t off, u64 v)
{
	u64 *base = &s->ctrl;
	mutex_lock(&lock);
	base[off / 64] = v; // RACE!
	mutex_unlock(&lock);
	return 0;
}
EXPORT_SYMBOL(demo_write);
u64 demo_status(struct shadow *s)
{
	return s->status; // RACE!
}
EXPORT_SYMBOL(demo_status);
