/* Stub: see lockpair/linux.h. Each CPU has a copy of an object; a pointer to one is found by the kernel's own instruction. */
#pragma once
#include <lockpair/linux.h>

#define DEFINE_PER_CPU(type, name) __attribute__((section(".data..percpu"))) __typeof__(type) name
#define DECLARE_PER_CPU(type, name) extern __attribute__((section(".data..percpu"))) __typeof__(type) name

extern unsigned long this_cpu_off, __per_cpu_offset[];
extern int cpu_number;

void *__alloc_percpu(size_t size, size_t align);
void free_percpu(void *copies);
#define alloc_percpu(type) ((type *)__alloc_percpu(sizeof(type), __alignof__(type)))

#define smp_processor_id() this_cpu_read(cpu_number)
#define raw_smp_processor_id() smp_processor_id()

#define raw_cpu_ptr(copies) ({ \
	unsigned long __own; \
	__asm__ __volatile__("add %%gs:%1, %0" : "=r"(__own) : "m"(this_cpu_off), "0"(copies)); \
	(__typeof__(*(copies)) *)__own; })
#define this_cpu_ptr(copies) raw_cpu_ptr(copies)

#define per_cpu_ptr(copies, cpu) ({ \
	unsigned long __copy; \
	__asm__("" : "=r"(__copy) : "0"(copies)); \
	(__typeof__(copies))(__copy + __per_cpu_offset[(long)(cpu)]); })
#define per_cpu(name, cpu) (*per_cpu_ptr(&(name), cpu))

#define get_cpu() ({ preempt_disable(); smp_processor_id(); })
#define put_cpu() preempt_enable()
#define get_cpu_ptr(copies) ({ preempt_disable(); this_cpu_ptr(copies); })
#define put_cpu_ptr(copies) do { (void)(copies); preempt_enable(); } while (0)
#define get_cpu_var(name) (*get_cpu_ptr(&(name)))
#define put_cpu_var(name) put_cpu_ptr(&(name))

/* Of an object of eight bytes, or of four. */
#define __this_cpu_op(name, op, constraint, ...) do { \
	if (sizeof(name) == 8) \
		__asm__ __volatile__(op "q %1, %%gs:%0" : constraint(name) : __VA_ARGS__); \
	else \
		__asm__ __volatile__(op "l %1, %%gs:%0" : constraint(name) : __VA_ARGS__); \
} while (0)
#define this_cpu_inc(name) do { \
	if (sizeof(name) == 8) \
		__asm__ __volatile__("incq %%gs:%0" : "+m"(name)); \
	else \
		__asm__ __volatile__("incl %%gs:%0" : "+m"(name)); \
} while (0)
#define this_cpu_add(name, by) __this_cpu_op(name, "add", "+m", "ri"(by))
#define this_cpu_write(name, value) __this_cpu_op(name, "mov", "=m", "ri"(value))
#define this_cpu_read(name) ({ \
	__typeof__(name) __value; \
	if (sizeof(name) == 8) \
		__asm__ __volatile__("movq %%gs:%1, %0" : "=r"(__value) : "m"(name)); \
	else \
		__asm__ __volatile__("movl %%gs:%1, %0" : "=r"(__value) : "m"(name)); \
	__value; })
#define __this_cpu_inc(name) this_cpu_inc(name)

extern unsigned int nr_cpu_ids;
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < nr_cpu_ids; (cpu)++)
