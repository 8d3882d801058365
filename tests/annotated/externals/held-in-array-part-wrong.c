/* The struct is a part of one that is in the array. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/skbuff.h>

/* Somewhere in the module, data become one of these. */
struct level {
	int now;
};

struct label {
	int length;
	unsigned char text[32];
};

struct scale {
	int top;
	struct level level;
};

struct packet {
	int length;
	unsigned char data[32];
};

extern unsigned char *board_bytes(void);
extern struct level *board_level(void);
extern struct label *board_label(void);
extern struct packet *board_packet(void);

static DEFINE_MUTEX(level_lock);
static DEFINE_MUTEX(label_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&level_lock);
	board_level()->now = cmd; // RACE!
	mutex_unlock(&level_lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct scale *scale = (struct scale *)board_label()->text;

	mutex_lock(&level_lock);
	scale->top = len;
	mutex_unlock(&level_lock);
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&label_lock);
	board_label()->text[4] = len; // RACE!
	mutex_unlock(&label_lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.write = demo_write,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
