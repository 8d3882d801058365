/* A pointer goes to another member through another view of the struct. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

struct item {
	int a;
	int b;
};

struct holder {
	struct item *mine;
	struct item *yours;
};

static struct holder *h;

struct pair {
	struct item *x, *y;
};

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&a);
	h->mine->a = 1; // MISSED: a copy of another view is not taken for one of its members
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&b);
	h->yours->a = 2; // RACE!
	mutex_unlock(&b);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct pair *p = (struct pair *)h;
	struct pair t = *p; // RACE!

	p->y = t.x; // RACE!
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
	h = kzalloc(sizeof(*h), GFP_KERNEL);
	h->mine = kzalloc(sizeof(struct item), GFP_KERNEL);
	h->yours = kzalloc(sizeof(struct item), GFP_KERNEL);
	return misc_register(&demo_misc);
}
module_init(demo_init);
