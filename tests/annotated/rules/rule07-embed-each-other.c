/* Two types that embed each other: a holds one b inside, b holds room for one a. An int of
 * each at the same address.
 */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct b;

struct a {
	int x;
	int y;
};

struct b {
	struct a a;
	int z;
};

struct c {
	char storage[sizeof(struct b)];
};

static DEFINE_MUTEX(lock);
static struct c c;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct b *b = (struct b *)c.storage;

	b->a.y = 1; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct a *a = (struct a *)&c;

	mutex_lock(&lock);
	a->y = 1; // RACE!
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
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
