/* Functions that core.c defines, too. */
#include <linux/mutex.h>

void lock_if_strong(struct mutex *lock) { mutex_lock(lock); }
void lock_if_weak(struct mutex *lock) { }
void lock_variant(struct mutex *lock) { }

/* There is a row for the first one; of the other, nothing is known. */
void (*later)(void);

void msleep(unsigned int msecs) { later(); }
void gadget_later(void) { later(); }
