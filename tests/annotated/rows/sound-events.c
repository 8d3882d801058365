/* Events of sound controls, and the names of items: ids and names are read, what the caller has is filled in. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct snd_card { int number; void *private_data; };
struct snd_ctl_elem_id { unsigned int numid, iface; unsigned char name[44]; unsigned int index; };
struct snd_ctl_elem_info {
	struct snd_ctl_elem_id id;
	int type;
	unsigned int access, count;
	union { struct { unsigned int items, item; char name[64]; } enumerated; unsigned char reserved[128]; } value;
};
int snd_card_free(struct snd_card *card);
void snd_ctl_notify(struct snd_card *card, unsigned int mask, struct snd_ctl_elem_id *id);
int snd_ctl_enum_info(struct snd_ctl_elem_info *info, unsigned int channels, unsigned int items, const char *const names[]);

struct demo { int level; };
extern struct snd_card *demo_card(void);
static const char *const fixed[2] = { "one", "two" };
static char first[8], second[8], third[8];
static const char *named[2] = { first, "other" };
static DEFINE_MUTEX(lock);
static struct snd_ctl_elem_id id, guarded;
static struct snd_ctl_elem_info shared;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct snd_ctl_elem_info *own = kzalloc(sizeof(*own), GFP_KERNEL);
	const char *local[2] = { second, third };
	struct snd_card *card = demo_card();
	struct demo *demo = card->private_data;

	if (!own)
		return -ENOMEM;
	snd_ctl_enum_info(own, 1, 2, fixed); // NORACE
	snd_ctl_enum_info(own, 1, 2, named); // RACE!
	snd_ctl_enum_info(own, 1, 2, local); // RACE!
	snd_ctl_enum_info(&shared, 1, 2, fixed); // RACE!
	mutex_lock(&lock);
	demo->level = own->value.enumerated.item; // NORACE
	snd_ctl_notify(card, 1, &guarded); // NORACE
	mutex_unlock(&lock);
	snd_ctl_notify(card, 1, &id); // RACE!
	kfree(own);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = demo_card()->private_data;

	mutex_lock(&lock);
	demo->level = 0; // NORACE
	guarded.index = 1; // NORACE
	mutex_unlock(&lock);
	WRITE_ONCE(id.index, 1); // RACE!
	WRITE_ONCE(shared.access, 1); // NORACE
	return shared.count + // RACE!
	       shared.type + // RACE!
	       shared.value.enumerated.items; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	WRITE_ONCE(first[0], 'a'); // RACE!
	WRITE_ONCE(second[0], 'a'); // RACE!
	WRITE_ONCE(third[0], 'a'); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
