/* The same, but code outside has got the address of such a struct as a number. */
// verdict: potential
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int a;
	u8 level;
};

static DEFINE_MUTEX(lock);
static struct demo *current_demo;

struct page;
void *lowmem_page_address(const struct page *page);
unsigned long __phys_addr_nodebug(unsigned long address);
void outside_keep(unsigned long address);

void demo_new(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return;
	mutex_lock(&lock);
	current_demo = demo;
	mutex_unlock(&lock);
	outside_keep(__phys_addr_nodebug((unsigned long)demo));
}
EXPORT_SYMBOL(demo_new);

u8 demo_peek(struct page *page)
{
	return *(u8 *)lowmem_page_address(page); // RACE!
}
EXPORT_SYMBOL(demo_peek);

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	if (current_demo)
		current_demo->level = n; // RACE!
	mutex_unlock(&lock);
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
