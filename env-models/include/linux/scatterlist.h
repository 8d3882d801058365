/* Stub: see lockpair/linux.h. */
#pragma once
#include <lockpair/linux.h>

struct page;
struct scatterlist { unsigned long page_link; unsigned int offset, length; };
void *lowmem_page_address(const struct page *page);
static inline void *sg_virt(struct scatterlist *sg)
{
	return (char *)lowmem_page_address((struct page *)(sg->page_link & ~3UL)) + sg->offset;
}
