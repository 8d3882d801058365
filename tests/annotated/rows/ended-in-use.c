// verdict: potential
/* Who cancels, kills or waits for something uses it, so it must not have ended: each of these beside the end of what it lies in. */
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/usb.h>
#include <linux/workqueue.h>

struct usb_anchor { struct list_head list; };
void usb_kill_anchored_urbs(struct usb_anchor *anchor);

#define ONE(name, type, make, use) \
	struct name { long before; type it; }; \
	static struct name *name; \
	static DEFINE_MUTEX(name##_lock); \
	static void name##_make(void) { name = kzalloc(sizeof(*name), GFP_KERNEL); if (name) make; }

static void demo_timer(struct timer_list *timer) { }
static void demo_work(struct work_struct *work) { }

ONE(timer, struct timer_list, timer_setup(&timer->it, demo_timer, 0), )
ONE(stopped, struct timer_list, timer_setup(&stopped->it, demo_timer, 0), )
ONE(work, struct work_struct, INIT_WORK(&work->it, demo_work), )
ONE(delayed, struct delayed_work, INIT_DELAYED_WORK(&delayed->it, demo_work), )
ONE(flushed, struct work_struct, INIT_WORK(&flushed->it, demo_work), )
ONE(precise, struct hrtimer, hrtimer_init(&precise->it, 1, 0), )
ONE(anchor, struct usb_anchor, INIT_LIST_HEAD(&anchor->it.list), )
ONE(chain, struct blocking_notifier_head, , )
ONE(safe, struct timer_list, timer_setup(&safe->it, demo_timer, 0), )
static struct urb *urb, *unlinked;
static DEFINE_MUTEX(ending);

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&ending);
	kfree(timer); // RACE!
	kfree(stopped); // RACE!
	kfree(work); // RACE!
	kfree(delayed); // RACE!
	kfree(flushed); // RACE!
	kfree(precise); // RACE!
	kfree(anchor); // RACE!
	kfree(chain); // RACE!
	usb_free_urb(urb); // RACE!
	usb_free_urb(unlinked); // RACE!
	mutex_lock(&safe_lock);
	kfree(safe); // NORACE
	safe = NULL; // NORACE
	mutex_unlock(&safe_lock);
	mutex_unlock(&ending);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	del_timer(&timer->it); // RACE!
	del_timer_sync(&stopped->it); // RACE!
	cancel_work_sync(&work->it); // RACE!
	cancel_delayed_work_sync(&delayed->it); // RACE!
	flush_work(&flushed->it); // RACE!
	hrtimer_cancel(&precise->it); // RACE!
	usb_kill_anchored_urbs(&anchor->it); // RACE!
	blocking_notifier_call_chain(&chain->it, 1, NULL); // RACE!
	usb_kill_urb(urb); // RACE!
	usb_unlink_urb(unlinked); // RACE!
	mutex_lock(&safe_lock);
	if (safe) // NORACE
		del_timer(&safe->it); // NORACE
	mutex_unlock(&safe_lock);
	return n;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = 255, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	timer_make();
	stopped_make();
	work_make();
	delayed_make();
	flushed_make();
	precise_make();
	anchor_make();
	chain_make();
	safe_make();
	urb = usb_alloc_urb(0, GFP_KERNEL);
	unlinked = usb_alloc_urb(0, GFP_KERNEL);
	return misc_register(&demo_misc);
}

static void __exit demo_exit(void)
{
	misc_deregister(&demo_misc);
}
module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
