// verdict: potential
/* More of those who use what they get, and so race with its end or with who reads what they write. */
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/i2c.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/tty.h>
#include <linux/usb.h>
#include <net/nfc/nfc.h>

int hrtimer_active(const struct hrtimer *timer);
void i2c_del_adapter(struct i2c_adapter *adapter);
int usb_set_configuration(struct usb_device *dev, int configuration);
void usb_unanchor_urb(struct urb *urb);
int atomic_notifier_chain_unregister(struct atomic_notifier_head *head, struct notifier_block *block);
int nfc_target_lost(struct nfc_dev *dev, u32 number);
void tty_port_tty_wakeup(struct tty_port *port);

struct timed { long before; struct hrtimer timer; };
struct chained { long before; struct atomic_notifier_head chain; };
struct ported { long before; struct tty_port port; };

static struct timed *timed;
static struct chained *chained;
static struct ported *ported;
static struct urb *urb;
static struct notifier_block block;
static DEFINE_MUTEX(ending);

extern struct i2c_adapter *demo_adapter(void);
extern struct usb_device *demo_usb(void);
extern struct nfc_dev *demo_nfc(void);

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&ending);
	kfree(timed); // RACE!
	kfree(chained); // RACE!
	kfree(ported); // RACE!
	usb_free_urb(urb); // RACE!
	mutex_unlock(&ending);
	n = demo_usb()->state; // RACE!
	return n + demo_nfc()->n_targets + // RACE!
		(demo_adapter()->dev.driver_data != NULL); // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	n += hrtimer_active(&timed->timer); // RACE!
	atomic_notifier_chain_unregister(&chained->chain, &block); // RACE!
	tty_port_tty_wakeup(&ported->port); // RACE!
	usb_unanchor_urb(urb); // RACE!
	usb_set_configuration(demo_usb(), 1); // RACE!
	nfc_target_lost(demo_nfc(), 1); // RACE!
	i2c_del_adapter(demo_adapter()); // RACE!
	return n;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = 255, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	timed = kzalloc(sizeof(*timed), GFP_KERNEL);
	chained = kzalloc(sizeof(*chained), GFP_KERNEL);
	ported = kzalloc(sizeof(*ported), GFP_KERNEL);
	urb = usb_alloc_urb(0, GFP_KERNEL);
	if (!timed || !chained || !ported)
		return -ENOMEM;
	return misc_register(&demo_misc);
}

static void __exit demo_exit(void)
{
	misc_deregister(&demo_misc);
}
module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
