/* The other half of same-layout-first.c; the order of the files does not matter. */
// with: same-layout-first.c
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include "same-layout.h"

static ssize_t second_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return demo_get_b()->x; // RACE!
}

static const struct file_operations second_fops = {
	.owner = THIS_MODULE,
	.read = second_read,
};

static struct miscdevice second_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "second",
	.fops = &second_fops,
};

int demo_register_second(void)
{
	return misc_register(&second_misc);
}
