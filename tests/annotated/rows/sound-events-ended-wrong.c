/* An event of a card that somebody else may end meanwhile. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <sound/core.h>

struct snd_ctl_elem_id { unsigned int numid, iface; unsigned char name[44]; unsigned int index; };
void snd_ctl_notify(struct snd_card *card, unsigned int mask, struct snd_ctl_elem_id *id);
static struct snd_card *card;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct snd_ctl_elem_id id = { .numid = 1 };

	snd_ctl_notify(card, 1, &id); // RACE!
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	return snd_card_free(card); // RACE!
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	int error = snd_card_new(NULL, 0, NULL, THIS_MODULE, 0, &card);

	return error ? error : misc_register(&demo_misc);
}
module_init(demo_init);
