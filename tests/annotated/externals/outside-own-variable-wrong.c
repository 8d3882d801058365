/* The message is a copy of a variable, whose pointers are not known. */
#include <linux/xarray.h>

struct chip;
static DEFINE_MUTEX(lock);

struct regs { int a; int count; };
struct xfer { void *buf; int len; };
extern int chip_transfer(struct chip *chip, struct xfer *xfer);
static struct regs regs;
static struct xfer to_regs = { .buf = &regs, .len = 8 };
int demo_read(void)
{
	struct xfer x = to_regs; // RACE!

	return chip_transfer(NULL, &x);
}
EXPORT_SYMBOL(demo_read);
void demo_longer(int len)
{
	mutex_lock(&lock);
	to_regs.len = len; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_longer);
int demo_count(void)
{
	int n;
	mutex_lock(&lock);
	n = regs.count; // MISSED: what pointers lead to that were copied from a variable is not known
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_count);
