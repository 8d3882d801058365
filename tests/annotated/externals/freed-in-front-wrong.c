/* Who goes back from what a pointer is declared to point to, and frees that, ends what lies in front. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct head {
	int used;
};

struct body {
	int level;
};

extern struct head *board_head(void);
extern struct body *board_body(void);

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(body_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	board_head()->used = cmd; // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct body *body = board_body();

	mutex_lock(&body_lock);
	kfree((char *)body - 16); // RACE!
	mutex_unlock(&body_lock);
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
