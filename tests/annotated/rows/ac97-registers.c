/* Registers of a codec, by its bus: who the codec is is read, what it keeps is not touched. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include "ac97-bus.h"

struct demo { int n; };
extern struct snd_ac97 *demo_codec(void);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct snd_ac97 *ac97 = demo_codec();
	const struct snd_ac97_bus_ops *ops = ac97->bus->ops;

	ops->reset(ac97); // RACE!
	ops->warm_reset(ac97); // RACE!
	ops->wait(ac97); // RACE!
	ops->init(ac97); // RACE!
	ops->write(ac97, 1, ops->read(ac97, 2)); // RACE!
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct snd_ac97 *ac97 = demo_codec();
	struct demo *demo = dev_get_drvdata(&ac97->dev);

	WRITE_ONCE(demo->n, 1); // NORACE
	WRITE_ONCE(ac97->flags, 1); // NORACE
	WRITE_ONCE(ac97->regs[2], 1); // NORACE
	WRITE_ONCE(ac97->bus->private_data, demo); // NORACE
	WRITE_ONCE(ac97->private_data, demo); // RACE!
	WRITE_ONCE(ac97->num, 1); // RACE!
	WRITE_ONCE(ac97->addr, 1); // RACE!
	WRITE_ONCE(ac97->id, 1); // RACE!
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
