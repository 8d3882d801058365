/* A retry jumps into the middle of a loop, so that no block of the loop is its only head; the lock is held on both ways. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(demo_lock);
static int demo_tries;
static int demo_state;
int demo_step(int n);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int left = arg;

	mutex_lock(&demo_lock);
	if (cmd == 1)
		goto retry;
	while (left > 0) {
		demo_tries++; // NORACE
		if (demo_step(left))
			break;
retry:
		demo_state = demo_step(left + cmd); // NORACE
		left--;
	}
	mutex_unlock(&demo_lock);
	return demo_step(0);
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
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
