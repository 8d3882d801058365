/* In a line discipline, two may read, write and be woken at once; without an owner, the module goes while it is set. */
// verdict: potential
#include <whole/ldisc.h>

static int *table, written;

static int demo_open(struct tty_struct *tty)
{
	tty->disc_data = kzalloc(64, GFP_KERNEL);
	return tty->disc_data ? table[0] : -ENOMEM; // RACE!
}

static void demo_close(struct tty_struct *tty)
{
	kfree(tty->disc_data);
}

static int demo_ioctl(struct tty_struct *tty, unsigned int cmd, unsigned long arg)
{
	*(int *)tty->disc_data = cmd; // RACE!
	return 0;
}

static void demo_receive_buf(struct tty_struct *tty, const unsigned char *cp, const char *fp, int count)
{
	*(int *)tty->disc_data += count; // RACE!
}

static ssize_t demo_write(struct tty_struct *tty, struct file *file, const unsigned char *buf, size_t nr)
{
	written++; // RACE!
	return nr;
}

static struct tty_ldisc_ops demo_ldisc = {
	.name = "demo", .num = 30, .open = demo_open, .close = demo_close,
	.ioctl = demo_ioctl, .receive_buf = demo_receive_buf, .write = demo_write,
};

static int __init demo_init(void)
{
	int ret;

	table = kzalloc(64, GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	ret = tty_register_ldisc(&demo_ldisc);
	if (ret)
		kfree(table);
	return ret;
}

static void __exit demo_exit(void)
{
	tty_unregister_ldisc(&demo_ldisc); // RACE: what a terminal has for the discipline might be the table
	kfree(table); // RACE!
}
module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
