/* The end of the array is computed in two steps. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct demo {
	struct mutex lock;
	int numbers[16];
	int others[4];
};

static struct demo demo;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return demo.numbers[3]; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&demo.lock);
	int *at = &demo.numbers[4] + 12;

	at[-(long)len] = len; // RACE!
	mutex_unlock(&demo.lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	mutex_init(&demo.lock);
	return misc_register(&demo_misc);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
