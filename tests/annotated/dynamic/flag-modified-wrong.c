/* The flag is changed in between, and the access depends on it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(lock);
static int events;

static noinline bool ask(int *state)
{
	*state += 1;
	return *state > 3;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int state = cmd;
	bool locked = ask(&state);

	if (locked)
		mutex_lock(&lock);
	locked = ask(&state);
	if (locked)
		events++; // RACE!
	if (locked)
		mutex_unlock(&lock);
	return 0;
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
