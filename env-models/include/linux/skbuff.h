/* Stub: see lockpair/linux.h. */
#pragma once
#include <lockpair/linux.h>

struct sk_buff_head { struct sk_buff *next, *prev; u32 qlen; spinlock_t lock; };
