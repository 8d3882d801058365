/* misc_deregister does not wait for an open that runs, and without an owner nothing else does (rule 5). */
#include <oracle.h>

static int g;
OPEN(o)
{
	g++;
	return 0;
}
static const struct file_operations fops = { .open = o };
static const struct miscdevice misc = { .minor = 1, .name = "drv", .fops = &fops };
int init_module(void)
{
	return misc_register((struct miscdevice *)&misc);
}
void cleanup_module(void)
{
	misc_deregister((struct miscdevice *)&misc);
	g = 1;
}
