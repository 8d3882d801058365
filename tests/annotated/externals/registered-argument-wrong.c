/* Who is known otherwise, too, may get any object. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int level;
};

extern struct demo *board_demo(void);

struct board_ops {
	void (*free)(void *data);
};

void board_demo_ops(const struct board_ops *ops);
static void demo_free(void *data);
static const struct board_ops demo_ops = { .free = demo_free };

static DEFINE_MUTEX(lock);

static void demo_free(void *data)
{
	kfree(data); // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	ssize_t level;

	mutex_lock(&lock);
	level = board_demo()->level; // RACE!
	mutex_unlock(&lock);
	return level;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int demo_probe(struct platform_device *pdev)
{
	unsigned char *bytes = kmalloc(64, GFP_KERNEL);

	if (!bytes)
		return -ENOMEM;
	bytes[0] = 1;
	board_demo_ops(&demo_ops);
	if (devm_add_action(&pdev->dev, demo_free, bytes))
		return -ENOMEM;
	return misc_register(&demo_misc);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
