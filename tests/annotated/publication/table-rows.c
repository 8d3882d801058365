/* Functions that make a table known: what is written before is seen, what is written after may be read meanwhile. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/cdev.h>

#undef register_chrdev
int cdev_device_add(struct cdev *cdev, struct device *dev);
int register_chrdev(unsigned int major, const char *name, const struct file_operations *ops);

static int add, device_add, by_major, by_name;

static ssize_t add_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return add; // RACE!
}

static ssize_t device_add_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return device_add; // RACE!
}

static ssize_t by_major_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return by_major; // RACE!
}

static ssize_t by_name_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return by_name; // RACE!
}

static const struct file_operations add_fops = { .owner = THIS_MODULE, .read = add_read };
static const struct file_operations device_add_fops = { .owner = THIS_MODULE, .read = device_add_read };
static const struct file_operations by_major_fops = { .owner = THIS_MODULE, .read = by_major_read };
static const struct file_operations by_name_fops = { .owner = THIS_MODULE, .read = by_name_read };

static struct cdev add_cdev = { .ops = &add_fops };
static struct cdev device_add_cdev = { .ops = &device_add_fops };

static int __init demo_init(void)
{
	int err;

	add = 1; // NORACE
	err = cdev_add(&add_cdev, 1, 1);
	if (err)
		return err;
	add = 2; // RACE!

	device_add = 1; // NORACE
	err = cdev_device_add(&device_add_cdev, NULL);
	if (err)
		return err;
	device_add = 2; // RACE!

	by_major = 1; // NORACE
	err = __register_chrdev(7, 0, 1, "demo", &by_major_fops);
	if (err)
		return err;
	by_major = 2; // RACE!

	by_name = 1; // NORACE
	err = register_chrdev(8, "demo", &by_name_fops);
	if (err)
		return err;
	by_name = 2; // RACE!
	return 0;
}
module_init(demo_init);
