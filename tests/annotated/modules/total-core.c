/* A core that is initialized before whoever uses it, and stays loaded until these are gone; two modules use it, neither of which
   waits for the other. */
// with-module: total-first.c
// with-module: total-second.c
// model: unshared.xml
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int total, started, users, opened;

int total_add(int value)
{
	return total + started; // NORACE
}
EXPORT_SYMBOL(total_add);

int total_wrong(void)
{
	return ++users; // RACE!
}
EXPORT_SYMBOL(total_wrong);

int total_get(void)
{
	opened++; // RACE!
	return 0;
}
EXPORT_SYMBOL(total_get);

static int total_open(struct inode *inode, struct file *file)
{
	return opened; // RACE!
}

extern struct module __this_module;

static const struct file_operations total_fops = { .owner = &__this_module, .open = total_open };
static struct miscdevice total_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "total", .fops = &total_fops };

static int __init total_init(void)
{
	total = 1; // NORACE
	started = 1; // NORACE
	return misc_register(&total_misc);
}

static void __exit total_exit(void)
{
	misc_deregister(&total_misc);
	total = 0; // NORACE
	opened = 0; // NORACE
}
module_init(total_init);
module_exit(total_exit);
MODULE_LICENSE("GPL");
