/* Stub: see lockpair/linux.h. Apart from that, for inputs that declare timers of their own. */
#pragma once
#include <lockpair/linux.h>

enum hrtimer_restart { HRTIMER_NORESTART, HRTIMER_RESTART };
enum hrtimer_mode { HRTIMER_MODE_ABS, HRTIMER_MODE_REL };
struct timerqueue_node { struct list_head node; s64 expires; };
struct hrtimer { struct timerqueue_node node; s64 _softexpires; enum hrtimer_restart (*function)(struct hrtimer *timer); };
void hrtimer_init(struct hrtimer *timer, int clock, enum hrtimer_mode mode);
void hrtimer_start(struct hrtimer *timer, s64 time, enum hrtimer_mode mode);
int hrtimer_cancel(struct hrtimer *timer);
int hrtimer_try_to_cancel(struct hrtimer *timer);
