/* The same, but what install has set up changes while the terminal is used, and another function changes what those that
   throttle change. */
// verdict: potential
#include <linux/module.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>

static int shown;

/* The list of drivers is not about one terminal. */
static int demo_proc_show(struct seq_file *seq, void *driver)
{
	return shown++; // RACE!
}

static int demo_install(struct tty_driver *driver, struct tty_struct *tty)
{
	tty->driver_data = driver; // NORACE
	tty->termios.c_lflag = 1; // NORACE
	return 0;
}

static void demo_cleanup(struct tty_struct *tty)
{
	tty->driver_data = NULL; // NORACE
}

static int demo_write_room(struct tty_struct *tty)
{
	return tty->driver_data ? tty->termios.c_lflag : 0; // RACE!
}

static void demo_stop(struct tty_struct *tty)
{
	tty->termios.c_lflag = 0; // RACE!
	tty->flags |= 2; // RACE!
}

static void demo_throttle(struct tty_struct *tty)
{
	tty->flags |= 1; // RACE!
}

static void demo_unthrottle(struct tty_struct *tty)
{
	tty->flags &= ~1; // RACE!
}

static const struct tty_operations demo_ops = {
	.install = demo_install,
	.cleanup = demo_cleanup,
	.write_room = demo_write_room,
	.throttle = demo_throttle,
	.unthrottle = demo_unthrottle,
	.stop = demo_stop,
	.proc_show = demo_proc_show,
};

static struct tty_driver demo_driver = { .ops = &demo_ops };

static int __init demo_init(void)
{
	return tty_register_driver(&demo_driver);
}
module_init(demo_init);
