/* A function that gives a pointer is not called as one that gives a number. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct alpha {
	int a;
};

struct beta {
	int b;
};

typedef int (*alpha_handler)(void *alpha);
typedef void *(*beta_handler)(void *beta);

extern alpha_handler board_handler(int number);

static DEFINE_MUTEX(lock);
static int seen;

static void *on_beta(void *beta)
{
	seen++; // NORACE
	return beta;
}

static const beta_handler handlers[] = { on_beta };

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct alpha alpha = { 0 };

	board_handler(cmd)(&alpha);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct beta beta = { 0 };

	mutex_lock(&lock);
	handlers[*pos & 0](&beta);
	mutex_unlock(&lock);
	return len;
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
module_misc_device(demo_misc);
