/* Tracing: events, and what prints them. */
#ifndef LOCKPAIR_LINUX_TRACE_EVENTS_H
#define LOCKPAIR_LINUX_TRACE_EVENTS_H

#include <lockpair/linux.h>

struct pt_regs;
struct trace_event;
struct trace_event_buffer;
struct trace_event_file;

struct trace_iterator {
	void *private;
	int cpu;
	int leftover;
};

struct trace_event_functions {
	int (*trace)(struct trace_iterator *iter, int flags, struct trace_event *event);
	int (*raw)(struct trace_iterator *iter, int flags, struct trace_event *event);
	int (*hex)(struct trace_iterator *iter, int flags, struct trace_event *event);
	int (*binary)(struct trace_iterator *iter, int flags, struct trace_event *event);
};

struct tracepoint { const char *name; void *iterator; };
struct trace_event_class { const char *system; void *probe; void *perf_probe; };
struct bpf_raw_event_map { struct tracepoint *tp; void *bpf_func; };

int register_trace_event(const struct trace_event_functions *functions);
void *trace_event_buffer_reserve(struct trace_event_buffer *buffer, struct trace_event_file *file,
				 unsigned long len);
void *perf_trace_buf_alloc(int size, struct pt_regs **regs, int *context);

#endif
