/* A line discipline is opened and closed with nobody else in it, and keeps its module. */
// verdict: race-free
#include <whole/ldisc.h>

static DEFINE_SPINLOCK(lock);
static int *table;

static int demo_open(struct tty_struct *tty)
{
	tty->disc_data = kzalloc(64, GFP_KERNEL); // NORACE
	return tty->disc_data ? table[0] : -ENOMEM; // NORACE
}

static void demo_close(struct tty_struct *tty)
{
	kfree(tty->disc_data); // NORACE
	tty->disc_data = NULL; // NORACE
}

static int demo_ioctl(struct tty_struct *tty, unsigned int cmd, unsigned long arg)
{
	return *(int *)tty->disc_data + table[1]; // NORACE
}

static void demo_receive_buf(struct tty_struct *tty, const unsigned char *cp, const char *fp, int count)
{
	if (tty->disc_data) // NORACE
		count += table[2]; // NORACE
}

static void demo_write_wakeup(struct tty_struct *tty)
{
	if (tty->disc_data) // NORACE
		(void)READ_ONCE(table[3]); // NORACE
}

static struct tty_ldisc_ops demo_ldisc = {
	.owner = THIS_MODULE, .name = "demo", .num = 30, .open = demo_open, .close = demo_close,
	.ioctl = demo_ioctl, .receive_buf = demo_receive_buf, .write_wakeup = demo_write_wakeup,
};

static int __init demo_init(void)
{
	table = kzalloc(64, GFP_KERNEL); // NORACE
	if (!table)
		return -ENOMEM;
	return tty_register_ldisc(&demo_ldisc);
}

static void __exit demo_exit(void)
{
	tty_unregister_ldisc(&demo_ldisc);
	kfree(table); // NORACE
}
module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
