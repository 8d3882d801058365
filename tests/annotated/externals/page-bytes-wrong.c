/* A page is a struct to one function, and bytes to another. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct page;
void *lowmem_page_address(const struct page *page);
struct page *alloc_pages(gfp_t flags, unsigned int order);
struct frame { u32 len; u32 level; };
static DEFINE_MUTEX(lock);
static struct page *page;

void demo_new(void)
{
	struct page *p = alloc_pages(GFP_KERNEL, 0);

	mutex_lock(&lock);
	if (!page)
		page = p; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_new);

void demo_set(u32 x)
{
	struct frame *f;

	mutex_lock(&lock);
	if (page) {
		f = lowmem_page_address(page);
		f->level = x; // RACE!
	}
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_set);

u32 demo_peek(void) { return ((u32 *)lowmem_page_address(page))[1]; } // RACE!
EXPORT_SYMBOL(demo_peek);
