/* An array without length goes on behind its struct, over the members of the struct around it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct packet {
	int n;
	char data[];
};

struct message {
	int id;
	struct packet packet;
	char tail[16];
	int count;
};

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct message *message = file->private_data;
	struct packet *packet = &message->packet;

	packet->data[n & 7] = 1; // RACE!
	return message->count; // NORACE
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct message *message = file->private_data;

	return message->tail[n & 7]; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
