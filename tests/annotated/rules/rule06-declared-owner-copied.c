/* A struct of the kernel with a member that owns by declaration is copied: now two have one pointer. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/netdevice.h>

static struct net_device *first, *second;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	device_lock(&first->dev);
	((u8 *)first->dev_addr)[0] = 1; // RACE!
	device_unlock(&first->dev);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	device_lock(&second->dev); // RACE!
	((u8 *)second->dev_addr)[0] = 2; // RACE!
	device_unlock(&second->dev);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	memcpy(second, first, sizeof(*first)); // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	first = alloc_etherdev(0);
	second = alloc_etherdev(0);
	return misc_register(&demo_misc);
}
module_init(demo_init);
