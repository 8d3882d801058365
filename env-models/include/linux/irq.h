/* Stub: see lockpair/linux.h. */
#pragma once
#include <lockpair/linux.h>

struct irq_chip { const char *name; };
struct irq_data { u32 mask; unsigned int irq; struct irq_chip *chip; void *chip_data; };
