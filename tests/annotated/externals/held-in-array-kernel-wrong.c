/* A struct lies in an array of one of the kernel's structs, to which the module makes a pointer to it. */
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

struct packet {
	int length;
	unsigned char data[32];
};

extern unsigned char *board_bytes(void);
extern struct level *board_level(void);
extern struct label *board_label(void);
extern struct packet *board_packet(void);
extern struct sk_buff *board_skb(void);

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
	struct level *level = (struct level *)board_skb()->cb;

	mutex_lock(&level_lock);
	level->now = len;
	mutex_unlock(&level_lock);
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&label_lock);
	board_skb()->cb[4] = len; // RACE!
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
