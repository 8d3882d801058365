/* The channels are copied, with what leads back, before all is set. */
// verdict: potential
#include <linux/module.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>
#include <linux/slab.h>

struct demo;

struct channel {
	int number;
	struct demo *demo;
};

struct demo {
	struct channel first[4];
	int limit;
	struct channel channels[4];
	struct miscdevice misc;
};

static struct channel shown[4];

static ssize_t demo_peek(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return shown[1].demo ? shown[1].demo->limit : 0; // RACE!
}

static const struct file_operations peek_fops = {
	.owner = THIS_MODULE,
	.read = demo_peek,
};

static struct miscdevice peek = { .name = "peek", .fops = &peek_fops };

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = container_of(file->private_data, struct demo, misc);

	return demo->limit; // RACE: that its file is registered last does not count any more
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
};

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int i;

	if (!demo)
		return -ENOMEM;
	misc_register(&peek);
	for (i = 0; i < 4; i++) {
		struct channel *channel = &demo->channels[i];

		channel->number = i;
		channel->demo = demo; // NORACE
	}
	for (i = 0; i < 4; i++)
		demo->first[i].demo = demo; // NORACE
	memcpy(shown, demo->channels, sizeof(shown)); // RACE!
	demo->limit = 3; // RACE!
	demo->misc.fops = &demo_fops;
	return misc_register(&demo->misc);
}
module_init(demo_init);
