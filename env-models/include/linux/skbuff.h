/* Stub: see lockpair/linux.h. */
#pragma once
#include <lockpair/linux.h>

struct sk_buff_head {
	union {
		struct { struct sk_buff *next, *prev; };
		struct sk_buff_list list;
	};
	u32 qlen;
	spinlock_t lock;
};
