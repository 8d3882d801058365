/* The bytes that one member of a union alone has are found by its members; those that two have are not. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

struct queue { unsigned long in, out; int *data; int count, size; };
struct demo {
	spinlock_t lock;
	union { struct queue queue; int *type; } tail;
	union { struct queue queue; unsigned char raw[0]; } open;
	union { struct queue queue; struct { long n[3]; int other; } shared; } both;
};

static struct demo demo;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	spin_lock(&demo.lock);
	demo.tail.queue.count = cmd; // NORACE
	spin_unlock(&demo.lock);
	demo.tail.queue.size = cmd; // RACE!
	demo.open.queue.count = cmd; // RACE!
	demo.both.queue.count = cmd; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	spin_lock(&demo.lock);
	n = demo.tail.queue.count; // NORACE
	spin_unlock(&demo.lock);
	n += demo.tail.queue.size; // RACE!
	n += demo.open.raw[24]; // RACE!
	return n + demo.both.shared.other; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
