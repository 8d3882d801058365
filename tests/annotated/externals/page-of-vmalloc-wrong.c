/* The page of a struct, asked for by its address. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

struct page;
void *lowmem_page_address(const struct page *page);
struct page *vmalloc_to_page(const void *address);
struct demo { int a; u8 level; };
static DEFINE_MUTEX(lock);
static struct demo *current_demo;

void demo_new(void)
{
	struct demo *d = vmalloc(PAGE_SIZE);

	mutex_lock(&lock);
	current_demo = d;
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_new);

void demo_clear(void)
{
	struct demo *d;

	mutex_lock(&lock);
	d = current_demo;
	mutex_unlock(&lock);
	if (d)
		((struct demo *)lowmem_page_address(vmalloc_to_page(d)))->level = 0; // RACE!
}
EXPORT_SYMBOL(demo_clear);

void demo_set(u8 n)
{
	mutex_lock(&lock);
	if (current_demo)
		current_demo->level = n; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_set);
