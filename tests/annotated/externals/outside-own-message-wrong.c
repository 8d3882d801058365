/* Code outside gets nothing but a message of a struct that the module declares, and what it leads to. */
#include <linux/xarray.h>

struct chip;
static DEFINE_MUTEX(lock);

struct regs { int a; int count; };
struct xfer { void *buf; int len; };
extern int chip_transfer(struct chip *chip, struct xfer *xfer);
static struct regs regs;
int demo_read(void)
{
	struct xfer x = { .buf = &regs, .len = 8 };
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
