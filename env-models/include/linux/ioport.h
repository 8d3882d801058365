/* Stub: see lockpair/linux.h. */
#pragma once
#include <lockpair/linux.h>

struct resource { u64 start, end; const char *name; unsigned long flags; struct resource *parent, *sibling, *child; };
