/* Functions that core.c defines, too. */
#include <linux/mutex.h>

void lock_if_strong(struct mutex *lock) { mutex_lock(lock); }
void lock_if_weak(struct mutex *lock) { }
void lock_variant(struct mutex *lock) { }
