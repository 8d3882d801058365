/* Functions of the kernel's cores: channels of mailboxes, packages of ACPI, files without a name, effects, backlights. */
// verdict: potential
#include <linux/module.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/input.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct mbox_client { struct device *dev; int kept; };
struct mbox_chan { struct mbox_client *cl; int kept; };
struct pcc_mbox_chan { struct mbox_chan *mchan; void *shmem; int kept; };
struct mbox_chan *mbox_request_channel(struct mbox_client *cl, int index);
struct pcc_mbox_chan *pcc_mbox_request_channel(struct mbox_client *cl, int index);
void mbox_free_channel(struct mbox_chan *chan);
void pcc_mbox_free_channel(struct pcc_mbox_chan *chan);
int mbox_send_message(struct mbox_chan *chan, void *message);
void mbox_chan_txdone(struct mbox_chan *chan, int result);
void mbox_client_txdone(struct mbox_chan *chan, int result);
struct acpi_buffer { u64 length; void *pointer; };
int acpi_extract_package(void *package, struct acpi_buffer *format, struct acpi_buffer *buffer);
struct file *anon_inode_getfile(const char *name, const struct file_operations *fops, void *data, int flags);
int input_ff_flush(struct input_dev *dev, struct file *file);
struct backlight_ops { int (*get)(void); };
struct backlight_properties { int brightness, max; };
struct backlight_device { struct device dev; const struct backlight_ops *ops; struct backlight_properties props; };
struct backlight_device *backlight_device_register(const char *name, struct device *parent, void *data,
						   const struct backlight_ops *ops,
						   const struct backlight_properties *props);

struct demo {
	int n;
};

static struct mbox_client client;
static struct mbox_chan *chan;
static struct pcc_mbox_chan *pcc;
static u8 message[8], text[8], package[8];
static struct acpi_buffer filled = { 8, text };
static struct backlight_properties props;
static const struct backlight_ops ops;
static struct input_dev *input;

static int child_release(struct inode *inode, struct file *file)
{
	struct demo *demo = file->private_data;

	demo->n++; // RACE: that the file is not known before it is installed is not seen
	return 0;
}

static const struct file_operations child_fops = { .owner = THIS_MODULE, .release = child_release };

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct acpi_buffer format = { 8, NULL };
	struct backlight_device *light;
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->n = 1; // NORACE
	anon_inode_getfile("demo", &child_fops, demo, 0);
	demo->n = 2; // RACE: the same
	mbox_request_channel(&client, 0); // RACE!
	pcc_mbox_request_channel(&client, 0); // RACE!
	mbox_send_message(chan, message); // RACE!
	mbox_chan_txdone(chan, 0); // RACE!
	mbox_client_txdone(chan, 0); // RACE!
	mbox_free_channel(chan); // RACE!
	pcc_mbox_free_channel(pcc); // RACE!
	acpi_extract_package(package, &format, &filled); // RACE!
	input_ff_flush(input, file); // NORACE
	light = backlight_device_register("demo", NULL, demo, &ops, &props); // RACE!
	return IS_ERR(light);
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	client.dev = NULL; // RACE!
	WRITE_ONCE(client.kept, 1); // RACE: where the filled buffer's pointer leads is not known
	WRITE_ONCE(chan->kept, 1); // NORACE
	WRITE_ONCE(pcc->kept, 1); // NORACE
	props.brightness = 1; // RACE!
	return message[0] + // RACE!
	       text[0]; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
