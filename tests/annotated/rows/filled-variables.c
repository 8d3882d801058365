/* Functions that fill in a variable: two files that give one to them race; a variable of the function's own holds what they put there, and
   not what another way has put there. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include "uses.h"

static int error;
static unsigned long last;
static bool frozen;
static struct resource *resource;
extern struct platform_device *pdev;
static int items[64], plain[64], bytes[64];

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	alloc_skb_with_frags(n, 1, 1, &error, GFP_KERNEL); // RACE!
	printk_timed_ratelimit(&last, 10); // RACE!
	kthread_freezable_should_stop(&frozen); // RACE!
	devm_platform_get_and_ioremap_resource(pdev, 0, &resource); // RACE!
	return n;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	int mine;

	if (n > 3)
		mine = 0;
	else
		alloc_skb_with_frags(n, 1, 1, &mine, GFP_KERNEL);
	items[-mine & 63] = 1; // RACE!
	return n;
}

/* One of which no row says that it fills in anything. */
static ssize_t other_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	int mine;

	if (n > 3)
		mine = 0;
	else
		nci_req_complete(&mine, 1);
	plain[mine & 63] = 1; // RACE!
	return n;
}

/* Bytes that the function itself writes, though nobody knows what. */
static void fill(int *to, int what)
{
	memset(to, what, 3 * sizeof(*to));
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int mine[3];

	if (cmd > 3)
		mine[0] = 0;
	else
		fill(mine, cmd);
	bytes[mine[0] & 63] = 1; // RACE!
	return 0;
}

static ssize_t other_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	items[12] = 2; // RACE!
	plain[12] = 2; // RACE!
	bytes[12] = 2; // RACE!
	return n;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .write = demo_write, .unlocked_ioctl = demo_ioctl };
static const struct file_operations other_fops = { .owner = THIS_MODULE, .read = other_read, .write = other_write };
static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };
static struct miscdevice other_misc = { .name = "other", .fops = &other_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc) ?: misc_register(&other_misc);
}
module_init(demo_init);
