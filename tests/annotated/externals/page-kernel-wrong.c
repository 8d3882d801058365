/* A page is a struct of the kernel to one function, and bytes to another. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/fs.h>

struct page;
void *lowmem_page_address(const struct page *page);
struct page *alloc_pages(gfp_t flags, unsigned int order);
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
	struct kiocb *f;

	mutex_lock(&lock);
	if (page) {
		f = lowmem_page_address(page);
		f->ki_pos = x; // RACE!
	}
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_set);

void demo_clear(void) { memset(lowmem_page_address(page), 0, PAGE_SIZE); } // RACE!
EXPORT_SYMBOL(demo_clear);
