/* What an external function reaches through pointers in what it is given. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct message {
	int len;
	char *buffer;
};

void transfer(struct message *messages, int n);

static char buffer[16];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct message messages[2] = { { 1, NULL }, { 16, buffer } };

	transfer(messages, 2); // RACE!
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
