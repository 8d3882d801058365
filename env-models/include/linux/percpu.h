/* Stub: see lockpair/linux.h. Each CPU has a copy of an object; which one, the stub does not say. */
#pragma once
#include <lockpair/linux.h>

void *__alloc_percpu(size_t size, size_t align);
void free_percpu(void *copies);
#define alloc_percpu(type) ((type *)__alloc_percpu(sizeof(type), __alignof__(type)))
#define this_cpu_ptr(copies) (copies)
#define per_cpu_ptr(copies, cpu) ((void)(cpu), (copies))
