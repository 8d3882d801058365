/* The same as outside-own-message-wrong with a message that is filled in member by member. */
#include <linux/xarray.h>

struct chip;
static DEFINE_MUTEX(lock);

struct regs { int a; int count; };
struct xfer { void *buf; int len; };
extern int chip_transfer(struct chip *chip, struct xfer *xfer);
static struct regs regs;
int demo_read(void)
{
	struct xfer x;

	x.buf = &regs;
	x.len = 8;
	return chip_transfer(NULL, &x); // RACE!
}
EXPORT_SYMBOL(demo_read);
int demo_count(void)
{
	int n;
	mutex_lock(&lock);
	n = regs.count; // RACE!
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_count);
