/* An ioctl arms the timer. A file that is open keeps the module, so nobody arms it when exit has waited. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

static int ticks;
extern struct module this_module;
static void demo_timer(struct timer_list *timer);
static DEFINE_TIMER(timer, demo_timer);

static void demo_timer(struct timer_list *unused)
{
	ticks++; // NORACE
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mod_timer(&timer, jiffies + HZ);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = &this_module,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	misc_deregister(&demo_misc);
	del_timer_sync(&timer);
	ticks = 0; // NORACE
}
module_exit(demo_exit);
