/* Functions in an array of a private struct: stored at an index that varies, called at one that does not. */
// verdict: potential
// entry-points: 2
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct demo_io {
	int count;
	void (*put[4])(int value);
};

static struct demo_io io;
static int level, other;

static void demo_put(int value)
{
	level = value; // RACE!
}

static void demo_put_other(int value)
{
	other = value; // RACE!
}

static void demo_add(struct demo_io *io, void (*put)(int value))
{
	if (io->count < 4) // RACE!
		io->put[io->count++] = put; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	demo_add(&io, demo_put);
	io.put[cmd & 1] = demo_put_other; // RACE!
	io.put[1](arg); // RACE!
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
