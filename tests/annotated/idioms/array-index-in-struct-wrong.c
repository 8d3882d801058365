/* It is changed later. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#define PORTS 8

struct session {
	unsigned int port;
	int uses;
};

static struct mutex locks[PORTS];
static struct {
	int level;
} levels[PORTS];

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	session->port = file->f_flags % PORTS; // NORACE
	file->private_data = session;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *session = file->private_data;

	if (cmd)
		session->port = cmd; // RACE!
	mutex_lock(&locks[session->port]); // RACE!
	levels[session->port].level = arg; // RACE!
	mutex_unlock(&locks[session->port]); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
