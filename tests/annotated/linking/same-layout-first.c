/* The other file accesses the same member of the same struct. Here, one of the same layout is used first;
 * LLVM's linker would take the two for one type, and the other file's accesses for such of the first one.
 */
// with: same-layout-second.c
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include "same-layout.h"

static DEFINE_MUTEX(lock);

static ssize_t first_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo_a *a = demo_get_a();
	struct demo_b *b = demo_get_b();

	mutex_lock(&lock);
	a->x = len; // NORACE
	b->x = len; // RACE!
	demo_get_outer()->inner.x = len; // RACE!
	mutex_unlock(&lock);
	return len;
}

static const struct file_operations first_fops = {
	.owner = THIS_MODULE,
	.write = first_write,
};

static struct miscdevice first_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "first",
	.fops = &first_fops,
};

int demo_register_second(void);

static int __init demo_init(void)
{
	int err = demo_register_second();

	return err ? err : misc_register(&first_misc);
}
module_init(demo_init);
