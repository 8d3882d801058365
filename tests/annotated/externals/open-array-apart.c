/* Characters at the end of a struct hold no struct that the module does not put there. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct level {
	int now;
};

struct packet {
	int length;
	unsigned char data[];
};

extern struct packet *board_packet(void);
extern struct level *board_level(void);

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(packet_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	board_level()->now = cmd; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&packet_lock);
	kfree(board_packet()); // NORACE
	mutex_unlock(&packet_lock);
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
