/* The line discipline that is told of a carrier looks at nothing of the terminal. */
// verdict: race-free
#include <linux/module.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/tty.h>

static DEFINE_MUTEX(lock);

void demo_carrier(struct tty_struct *tty, bool on)
{
	struct tty_ldisc *ld = tty_ldisc_ref(tty);

	if (!ld)
		return;
	if (ld->ops->dcd_change) // NORACE
		ld->ops->dcd_change(tty, on); // NORACE
	tty_ldisc_deref(ld);
}
EXPORT_SYMBOL(demo_carrier);

void demo_close(struct tty_struct *tty)
{
	mutex_lock(&lock);
	tty->closing = 1; // NORACE
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_close);
