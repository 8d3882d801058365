/* A page is a struct by the variable that it is put in, and bytes to another function. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct page;
void *lowmem_page_address(const struct page *page);
struct frame { u32 len; u8 level; };
static DEFINE_MUTEX(lock);
static struct frame *frame;

void demo_new(struct page *page)
{
	mutex_lock(&lock);
	frame = lowmem_page_address(page);
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_new);

void demo_set(u8 x)
{
	mutex_lock(&lock);
	if (frame)
		frame->level = x; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_set);

u8 demo_peek(struct page *page) { return ((u8 *)lowmem_page_address(page))[4]; } // RACE!
EXPORT_SYMBOL(demo_peek);
