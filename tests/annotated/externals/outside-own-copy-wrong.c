/* The message is a copy of one of two constants. */
#include <linux/xarray.h>

struct chip;
static DEFINE_MUTEX(lock);

struct regs { int a; int count; };
struct xfer { void *buf; int len; };
extern int chip_transfer(struct chip *chip, struct xfer *xfer);
static struct regs regs, others;
static const struct xfer to_regs = { .buf = &regs, .len = 8 };
static const struct xfer to_others = { .buf = &others, .len = 8 };
int demo_read(int which)
{
	struct xfer x = *(which ? &to_regs : &to_others);

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
