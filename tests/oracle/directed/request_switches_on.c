/* Requesting the first handler of a line switches it on, however often it was switched off. */
#include <oracle.h>
static int x, y;
static int cookie;
static irqreturn_t irq_cookie(int irq, void *of)
{
	x++;
	return 1;
}
READ(drv_read)
{
	return READ_ONCE(y);
}
static const struct file_operations fops = { .owner = THIS_MODULE, .read = drv_read };
static struct miscdevice misc = { .minor = 1, .name = "drv", .fops = &fops };
int init_module(void)
{
	disable_irq(1);
	if (request_irq(1, irq_cookie, 0, "drv", &cookie))
		return -16;
	x = 1;
	enable_irq(1);
	return misc_register(&misc);
}
