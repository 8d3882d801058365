/* Characters at the end of a struct may hold a struct that the module finds there. */
// verdict: potential
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
	board_level()->now = cmd; // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&packet_lock);
	kfree(board_packet()); // RACE!
	mutex_unlock(&packet_lock);
	return len;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct level *level = (struct level *)board_packet()->data;

	mutex_lock(&lock);
	level->now = len; // RACE!
	mutex_unlock(&lock);
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
module_misc_device(demo_misc);
