/* Who has freed an object on an error path goes on, and puts it into the variable. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/kref.h>

struct demo {
	struct kref ref;
	struct mutex lock;
	int value;
	int last;
};

static struct demo *the_demo;
static DEFINE_MUTEX(demo_lock);

static void demo_free(struct kref *ref)
{
	struct demo *demo = container_of(ref, struct demo, ref);

	demo->last = demo->value; // RACE!
	kfree(demo); // RACE!
}

/* Makes a new object, if there is none. */
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	kref_init(&demo->ref);
	mutex_init(&demo->lock);
	mutex_lock(&demo_lock);
	if (the_demo) {
		kfree(demo);
	}
	the_demo = demo;
	mutex_unlock(&demo_lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct demo *demo;
	int value;

	mutex_lock(&demo_lock);
	demo = the_demo;
	if (!demo) {
		mutex_unlock(&demo_lock);
		return -ENODEV;
	}
	kref_get(&demo->ref); // RACE!
	mutex_unlock(&demo_lock);

	mutex_lock(&demo->lock); // RACE!
	value = demo->value++; // RACE!
	mutex_unlock(&demo->lock);

	kref_put(&demo->ref, demo_free); // RACE!
	return value;
}

/* Takes the object out: whoever still has it frees it. */
static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct demo *demo;

	mutex_lock(&demo_lock);
	demo = the_demo;
	the_demo = NULL;
	mutex_unlock(&demo_lock);
	if (demo)
		kref_put(&demo->ref, demo_free); // RACE!
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
