/*
 * The part of the kernel's interface that lockpair's tests and examples use, so that they compile
 * without a kernel tree. Written for lockpair; nothing is copied from the kernel. Functions have the
 * kernel's names, so that the rows in env-models/linux apply to them; the layout of structs is not
 * the kernel's. Functions with a row are only declared.
 *
 * Use: clang -nostdinc -I env-models/include, and #include <linux/mutex.h> and so on as in a driver.
 */
#ifndef LOCKPAIR_LINUX_H
#define LOCKPAIR_LINUX_H

/* --- compiler ------------------------------------------------------------------------------- */

#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define __user
#define __iomem
#define __percpu
#define __rcu
#define __init
#define __exit
#define __initdata
#define __exitdata
#define __initconst
#define __devinit
#define __devexit
#define __maybe_unused __attribute__((unused))
#define __always_unused __attribute__((unused))
#define __must_check __attribute__((warn_unused_result))
#define __packed __attribute__((packed))
#define __aligned(x) __attribute__((aligned(x)))
#define ____cacheline_aligned __attribute__((aligned(64)))
#define ____cacheline_aligned_in_smp __attribute__((aligned(64)))
#define __always_inline inline __attribute__((always_inline))
#define noinline __attribute__((noinline))
#define __printf(a, b) __attribute__((format(printf, a, b)))
#define fallthrough __attribute__((fallthrough))
#define __acquires(x)
#define __releases(x)

#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, val) do { *(volatile __typeof__(x) *)&(x) = (val); } while (0)
#define barrier() __asm__ __volatile__("" : : : "memory")
#define smp_mb() __asm__ __volatile__("mfence" : : : "memory")
#define smp_rmb() barrier()
#define smp_wmb() barrier()
#define mb() smp_mb()
#define rmb() __asm__ __volatile__("lfence" : : : "memory")
#define wmb() __asm__ __volatile__("sfence" : : : "memory")
#define dma_rmb() barrier()
#define dma_wmb() barrier()
#define smp_mb__before_atomic() barrier()
#define smp_mb__after_atomic() barrier()
#define smp_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define smp_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define xchg(p, v) __atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST)
#define cmpxchg(p, o, n) ({ \
	__typeof__(*(p)) __old = (o); \
	__atomic_compare_exchange_n((p), &__old, (n), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
	__old; })

/* --- types ---------------------------------------------------------------------------------- */

typedef _Bool bool;
#define true 1
#define false 0
typedef unsigned char u8, __u8, uint8_t, unchar;
typedef unsigned short u16, __u16, uint16_t, __le16, __be16, ushort;
typedef unsigned int u32, __u32, uint32_t, __le32, __be32, uint;
typedef unsigned long long u64, __u64, uint64_t, __le64, __be64;
typedef signed char s8, int8_t;
typedef short s16, int16_t;
typedef int s32, int32_t;
typedef long long s64, int64_t, loff_t, ktime_t, time64_t;
typedef unsigned long size_t, uintptr_t, ulong, kernel_ulong_t;
typedef long ssize_t, ptrdiff_t, off_t;
typedef unsigned int gfp_t, dev_t, fmode_t, __poll_t;
typedef unsigned short umode_t;
typedef u64 dma_addr_t, phys_addr_t, resource_size_t, netdev_features_t;
typedef __builtin_va_list va_list;

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define BIT(n) (1UL << (n))
#define BITS_PER_LONG 64
#define BITS_TO_LONGS(n) (((n) + 63) / 64)
#define DECLARE_BITMAP(name, bits) unsigned long name[BITS_TO_LONGS(bits)]
#define PAGE_SIZE 4096UL
#define PAGE_SHIFT 12
#define min(a, b) ({ __typeof__(a) __a = (a); __typeof__(b) __b = (b); __a < __b ? __a : __b; })
#define max(a, b) ({ __typeof__(a) __a = (a); __typeof__(b) __b = (b); __a > __b ? __a : __b; })
#define min_t(t, a, b) min((t)(a), (t)(b))
#define max_t(t, a, b) max((t)(a), (t)(b))
#define clamp(v, lo, hi) min(max(v, lo), hi)
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define ALIGN(x, a) (((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define cpu_to_le32(x) ((u32)(x))
#define le32_to_cpu(x) ((u32)(x))
#define cpu_to_le16(x) ((u16)(x))
#define le16_to_cpu(x) ((u16)(x))

#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EAGAIN 11
#define ENOMEM 12
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define EINVAL 22
#define ENOTTY 25
#define ENOSPC 28
#define ERANGE 34
#define EOPNOTSUPP 95
#define ETIMEDOUT 110
#define ERESTARTSYS 512
#define MAX_ERRNO 4095

static inline void *ERR_PTR(long error) { return (void *)error; }
static inline long PTR_ERR(const void *ptr) { return (long)ptr; }
static inline bool IS_ERR(const void *ptr) { return (unsigned long)ptr >= (unsigned long)-MAX_ERRNO; }
static inline bool IS_ERR_OR_NULL(const void *ptr) { return !ptr || IS_ERR(ptr); }

/* --- messages ------------------------------------------------------------------------------- */

struct device;
struct net_device;
int _printk(const char *fmt, ...);
void _dev_info(const struct device *dev, const char *fmt, ...);
void _dev_warn(const struct device *dev, const char *fmt, ...);
void _dev_err(const struct device *dev, const char *fmt, ...);
int dev_err_probe(const struct device *dev, int err, const char *fmt, ...);
void netdev_info(const struct net_device *dev, const char *fmt, ...);
void netdev_warn(const struct net_device *dev, const char *fmt, ...);
void netdev_err(const struct net_device *dev, const char *fmt, ...);
#define KERN_ERR ""
#define KERN_WARNING ""
#define KERN_NOTICE ""
#define KERN_INFO ""
#define KERN_DEBUG ""
#define printk _printk
#define pr_err(...) _printk(__VA_ARGS__)
#define pr_warn(...) _printk(__VA_ARGS__)
#define pr_info(...) _printk(__VA_ARGS__)
#define pr_debug(...) do { } while (0)
#define dev_info _dev_info
#define dev_warn _dev_warn
#define dev_err _dev_err
#define dev_dbg(...) do { } while (0)
#define netdev_dbg(...) do { } while (0)
#define WARN_ON(c) (!!(c))
#define WARN_ON_ONCE(c) (!!(c))
#define BUG_ON(c) do { if (c) __builtin_trap(); } while (0)
#define BUG() __builtin_trap()

/* --- modules -------------------------------------------------------------------------------- */

struct module;
#define THIS_MODULE ((struct module *)0)
#define MODULE_LICENSE(x) _Static_assert(1, "")
#define MODULE_AUTHOR(x) _Static_assert(1, "")
#define MODULE_DESCRIPTION(x) _Static_assert(1, "")
#define MODULE_VERSION(x) _Static_assert(1, "")
#define MODULE_ALIAS(x) _Static_assert(1, "")
#define MODULE_ALIAS_MISCDEV(x) _Static_assert(1, "")
#define MODULE_DEVICE_TABLE(type, name) _Static_assert(1, "")
#define MODULE_FIRMWARE(x) _Static_assert(1, "")
#define MODULE_PARM_DESC(name, text) _Static_assert(1, "")
/* As in the kernel, code outside finds it by its section. */
struct kernel_param;
struct kernel_param_ops {
	int (*set)(const char *val, const struct kernel_param *kp);
	int (*get)(char *buffer, const struct kernel_param *kp);
};
struct kernel_param {
	const char *name;
	struct module *mod;
	const struct kernel_param_ops *ops;
	const unsigned short perm;
	signed char level;
	unsigned char flags;
	union {
		void *arg;
		const char *str;
	};
};
extern const struct kernel_param_ops param_ops_int, param_ops_uint, param_ops_bool, param_ops_charp, param_ops_ulong;
#define module_param_cb(name, ops, place, perm) \
	static const struct kernel_param __param_##name __attribute__((used)) = { #name, 0, ops, perm, -1, 0, { place } }
#define module_param(name, type, perm) module_param_cb(name, &param_ops_##type, &name, perm)
/* As in the kernel, all that is left of it in a module is a pointer in a section that the linker drops. */
#define EXPORT_SYMBOL(x) \
	static void *__addressable_##x __attribute__((used, section(".discard.addressable"))) = (void *)&x
#define EXPORT_SYMBOL_GPL(x) EXPORT_SYMBOL(x)
#define module_init(fn) int init_module(void) __attribute__((alias(#fn)))
#define module_exit(fn) void cleanup_module(void) __attribute__((alias(#fn)))
#define module_driver(drv, reg, unreg, ...) \
	static int drv##_init(void) { return reg(&(drv), ##__VA_ARGS__); } \
	module_init(drv##_init); \
	static void drv##_exit(void) { unreg(&(drv), ##__VA_ARGS__); } \
	module_exit(drv##_exit)
bool try_module_get(struct module *module);
void module_put(struct module *module);
bool capable(int cap);
#define CAP_SYS_ADMIN 21

/* --- lists ---------------------------------------------------------------------------------- */

struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
static inline void INIT_LIST_HEAD(struct list_head *list) { list->next = list; list->prev = list; }
static inline void __list_add(struct list_head *entry, struct list_head *prev, struct list_head *next)
{
	next->prev = entry;
	entry->next = next;
	entry->prev = prev;
	prev->next = entry;
}
static inline void list_add(struct list_head *entry, struct list_head *head) { __list_add(entry, head, head->next); }
static inline void list_add_tail(struct list_head *entry, struct list_head *head) { __list_add(entry, head->prev, head); }
static inline void list_del(struct list_head *entry)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
	entry->next = NULL;
	entry->prev = NULL;
}
static inline void list_del_init(struct list_head *entry) { list_del(entry); INIT_LIST_HEAD(entry); }
static inline int list_empty(const struct list_head *head) { return READ_ONCE(head->next) == head; }
static inline void list_move(struct list_head *entry, struct list_head *head) { list_del(entry); list_add(entry, head); }
static inline void list_move_tail(struct list_head *entry, struct list_head *head) { list_del(entry); list_add_tail(entry, head); }
/* All of `list` comes to stand between two neighbours. */
static inline void __list_insert_all(struct list_head *list, struct list_head *prev, struct list_head *next)
{
	list->next->prev = prev;
	prev->next = list->next;
	list->prev->next = next;
	next->prev = list->prev;
}
static inline void list_splice(struct list_head *list, struct list_head *head)
{
	if (!list_empty(list))
		__list_insert_all(list, head, head->next);
}
static inline void list_splice_init(struct list_head *list, struct list_head *head)
{
	list_splice(list, head);
	INIT_LIST_HEAD(list);
}
static inline void list_splice_tail_init(struct list_head *list, struct list_head *head)
{
	if (!list_empty(list))
		__list_insert_all(list, head->prev, head);
	INIT_LIST_HEAD(list);
}
/* The entries of `head` up to `last` move to `list`. */
static inline void list_cut_position(struct list_head *list, struct list_head *head, struct list_head *last)
{
	INIT_LIST_HEAD(list);
	if (list_empty(head) || last == head)
		return;
	list->next = head->next;
	list->next->prev = list;
	list->prev = last;
	head->next = last->next;
	head->next->prev = head;
	last->next = list;
}
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_next_entry(pos, member) list_entry((pos)->member.next, __typeof__(*(pos)), member)
#define list_for_each_entry(pos, head, member) \
	for (pos = list_first_entry(head, __typeof__(*pos), member); &pos->member != (head); \
	     pos = list_next_entry(pos, member))
#define list_for_each_entry_safe(pos, n, head, member) \
	for (pos = list_first_entry(head, __typeof__(*pos), member), n = list_next_entry(pos, member); \
	     &pos->member != (head); pos = n, n = list_next_entry(n, member))

/* --- atomics and bits ----------------------------------------------------------------------- */

typedef struct { int counter; } atomic_t;
typedef struct { s64 counter; } atomic64_t;
typedef atomic64_t atomic_long_t;
typedef struct { atomic_t refs; } refcount_t;
#define ATOMIC_INIT(i) { (i) }
#define REFCOUNT_INIT(n) { .refs = ATOMIC_INIT(n) }

int atomic_read(const atomic_t *v);
void atomic_set(atomic_t *v, int i);
void atomic_add(int i, atomic_t *v);
void atomic_sub(int i, atomic_t *v);
void atomic_inc(atomic_t *v);
void atomic_dec(atomic_t *v);
int atomic_add_return(int i, atomic_t *v);
int atomic_inc_return(atomic_t *v);
int atomic_dec_return(atomic_t *v);
int atomic_fetch_add(int i, atomic_t *v);
bool atomic_dec_and_test(atomic_t *v);
bool atomic_inc_and_test(atomic_t *v);
bool atomic_sub_and_test(int i, atomic_t *v);
bool atomic_add_unless(atomic_t *v, int a, int u);
bool atomic_inc_not_zero(atomic_t *v);
int atomic_xchg(atomic_t *v, int i);
int atomic_cmpxchg(atomic_t *v, int old, int new_value);
s64 atomic64_read(const atomic64_t *v);
void atomic64_set(atomic64_t *v, s64 i);
void atomic64_add(s64 i, atomic64_t *v);
void atomic64_inc(atomic64_t *v);
void atomic64_dec(atomic64_t *v);
void refcount_set(refcount_t *r, int n);
unsigned int refcount_read(const refcount_t *r);
void refcount_inc(refcount_t *r);
bool refcount_inc_not_zero(refcount_t *r);
bool refcount_dec_and_test(refcount_t *r);

struct kref { refcount_t refcount; };
static inline void kref_init(struct kref *kref) { refcount_set(&kref->refcount, 1); }
static inline void kref_get(struct kref *kref) { refcount_inc(&kref->refcount); }
static inline int kref_put(struct kref *kref, void (*release)(struct kref *kref))
{
	if (!refcount_dec_and_test(&kref->refcount))
		return 0;
	release(kref);
	return 1;
}

void set_bit(long nr, volatile unsigned long *addr);
void clear_bit(long nr, volatile unsigned long *addr);
void change_bit(long nr, volatile unsigned long *addr);
void __set_bit(long nr, volatile unsigned long *addr);
void __clear_bit(long nr, volatile unsigned long *addr);
bool test_bit(long nr, const volatile unsigned long *addr);
bool test_and_set_bit(long nr, volatile unsigned long *addr);
bool test_and_clear_bit(long nr, volatile unsigned long *addr);
bool test_and_set_bit_lock(long nr, volatile unsigned long *addr);
void clear_bit_unlock(long nr, volatile unsigned long *addr);

/* --- locks ---------------------------------------------------------------------------------- */

struct lock_class_key { int unused; };

typedef struct raw_spinlock { unsigned int value; } raw_spinlock_t;
typedef struct spinlock { struct raw_spinlock rlock; } spinlock_t;
#define DEFINE_SPINLOCK(name) spinlock_t name
#define DEFINE_RAW_SPINLOCK(name) raw_spinlock_t name
#define __SPIN_LOCK_UNLOCKED(name) { { 0 } }
void spin_lock_init(spinlock_t *lock);
void spin_lock(spinlock_t *lock);
void spin_lock_bh(spinlock_t *lock);
void spin_lock_irq(spinlock_t *lock);
int spin_trylock(spinlock_t *lock);
int spin_trylock_bh(spinlock_t *lock);
int spin_trylock_irq(spinlock_t *lock);
void spin_lock_nested(spinlock_t *lock, int subclass);
void spin_unlock(spinlock_t *lock);
void spin_unlock_bh(spinlock_t *lock);
void spin_unlock_irq(spinlock_t *lock);
unsigned long _raw_spin_lock_irqsave(raw_spinlock_t *lock);
void _raw_spin_unlock_irqrestore(raw_spinlock_t *lock, unsigned long flags);
#define spin_lock_irqsave(lock, flags) do { (flags) = _raw_spin_lock_irqsave(&(lock)->rlock); } while (0)
#define spin_unlock_irqrestore(lock, flags) _raw_spin_unlock_irqrestore(&(lock)->rlock, flags)
void _raw_spin_lock(raw_spinlock_t *lock);
void _raw_spin_unlock(raw_spinlock_t *lock);
#define raw_spin_lock(lock) _raw_spin_lock(lock)
#define raw_spin_unlock(lock) _raw_spin_unlock(lock)
#define raw_spin_lock_irqsave(lock, flags) do { (flags) = _raw_spin_lock_irqsave(lock); } while (0)
#define raw_spin_unlock_irqrestore(lock, flags) _raw_spin_unlock_irqrestore(lock, flags)

typedef struct { unsigned int value; } rwlock_t;
#define DEFINE_RWLOCK(name) rwlock_t name
void rwlock_init(rwlock_t *lock);
int read_trylock(rwlock_t *lock);
int write_trylock(rwlock_t *lock);
void read_lock(rwlock_t *lock);
void read_unlock(rwlock_t *lock);
void write_lock(rwlock_t *lock);
void write_unlock(rwlock_t *lock);
void read_lock_bh(rwlock_t *lock);
void read_unlock_bh(rwlock_t *lock);
void write_lock_bh(rwlock_t *lock);
void write_unlock_bh(rwlock_t *lock);
void read_lock_irq(rwlock_t *lock);
void read_unlock_irq(rwlock_t *lock);
void write_lock_irq(rwlock_t *lock);
void write_unlock_irq(rwlock_t *lock);

struct mutex { long owner; struct list_head wait_list; };
#define DEFINE_MUTEX(name) struct mutex name
#define __MUTEX_INITIALIZER(name) { 0, LIST_HEAD_INIT((name).wait_list) }
void __mutex_init(struct mutex *lock, const char *name, struct lock_class_key *key);
#define mutex_init(lock) __mutex_init(lock, #lock, NULL)
void mutex_destroy(struct mutex *lock);
void mutex_lock(struct mutex *lock);
void mutex_lock_nested(struct mutex *lock, unsigned int subclass);
int mutex_lock_interruptible(struct mutex *lock);
int mutex_lock_killable(struct mutex *lock);
int mutex_lock_interruptible_nested(struct mutex *lock, unsigned int subclass);
int mutex_lock_killable_nested(struct mutex *lock, unsigned int subclass);
void mutex_lock_io(struct mutex *lock);
int mutex_trylock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
bool mutex_is_locked(struct mutex *lock);

struct rw_semaphore { long count; struct list_head wait_list; };
#define DECLARE_RWSEM(name) struct rw_semaphore name
void __init_rwsem(struct rw_semaphore *sem, const char *name, struct lock_class_key *key);
#define init_rwsem(sem) __init_rwsem(sem, #sem, NULL)
void down_read(struct rw_semaphore *sem);
int down_read_interruptible(struct rw_semaphore *sem);
int down_read_killable(struct rw_semaphore *sem);
int down_read_trylock(struct rw_semaphore *sem);
void up_read(struct rw_semaphore *sem);
void down_write(struct rw_semaphore *sem);
void down_read_nested(struct rw_semaphore *sem, int subclass);
void down_write_nested(struct rw_semaphore *sem, int subclass);
int down_write_killable(struct rw_semaphore *sem);
int down_write_trylock(struct rw_semaphore *sem);
void up_write(struct rw_semaphore *sem);
void downgrade_write(struct rw_semaphore *sem);

struct hlist_node { struct hlist_node *next, **pprev; };
struct hlist_head { struct hlist_node *first; };
static inline void hlist_add_head(struct hlist_node *n, struct hlist_head *h)
{
	struct hlist_node *first = h->first;

	WRITE_ONCE(n->next, first);
	if (first)
		WRITE_ONCE(first->pprev, &n->next);
	WRITE_ONCE(h->first, n);
	WRITE_ONCE(n->pprev, &h->first);
}
static inline void hlist_del(struct hlist_node *n)
{
	struct hlist_node *next = n->next, **pprev = n->pprev;

	WRITE_ONCE(*pprev, next);
	if (next)
		WRITE_ONCE(next->pprev, pprev);
	n->next = NULL;
	n->pprev = NULL;
}
#define hlist_entry_safe(ptr, type, member) ({ __typeof__(ptr) ____ptr = (ptr); ____ptr ? container_of(____ptr, type, member) : NULL; })
#define hlist_for_each_entry(pos, head, member) \
	for (pos = hlist_entry_safe((head)->first, __typeof__(*(pos)), member); pos; \
	     pos = hlist_entry_safe((pos)->member.next, __typeof__(*(pos)), member))

struct hlist_bl_node { struct hlist_bl_node *next, **pprev; };
struct hlist_bl_head { struct hlist_bl_node *first; };
void hlist_bl_lock(struct hlist_bl_head *head);
void hlist_bl_unlock(struct hlist_bl_head *head);

typedef struct seqcount { unsigned int sequence; } seqcount_t;
typedef struct { seqcount_t seqcount; spinlock_t lock; } seqlock_t;
#define DEFINE_SEQLOCK(name) seqlock_t name
void do_raw_write_seqcount_begin(seqcount_t *s);
void do_raw_write_seqcount_end(seqcount_t *s);
static inline unsigned int read_seqbegin(const seqlock_t *sl) { return READ_ONCE(sl->seqcount.sequence); }
static inline int read_seqretry(const seqlock_t *sl, unsigned int start)
{
	return READ_ONCE(sl->seqcount.sequence) != start;
}
static inline void write_seqlock(seqlock_t *sl)
{
	spin_lock(&sl->lock);
	do_raw_write_seqcount_begin(&sl->seqcount);
}
static inline void write_sequnlock(seqlock_t *sl)
{
	do_raw_write_seqcount_end(&sl->seqcount);
	spin_unlock(&sl->lock);
}

struct sock { int owned; };
void lock_sock(struct sock *sk);
void release_sock(struct sock *sk);
bool lock_sock_fast(struct sock *sk);
void unlock_sock_fast(struct sock *sk, bool slow);

struct semaphore { unsigned int count; struct list_head wait_list; };
#define DEFINE_SEMAPHORE(name) struct semaphore name = { 1, LIST_HEAD_INIT((name).wait_list) }
void sema_init(struct semaphore *sem, int value);
void down(struct semaphore *sem);
int down_interruptible(struct semaphore *sem);
int down_trylock(struct semaphore *sem);
void up(struct semaphore *sem);

struct completion { unsigned int done; };
#define DECLARE_COMPLETION(name) struct completion name
void init_completion(struct completion *x);
void reinit_completion(struct completion *x);
void wait_for_completion(struct completion *x);
int wait_for_completion_interruptible(struct completion *x);
unsigned long wait_for_completion_timeout(struct completion *x, unsigned long timeout);
void complete(struct completion *x);
void complete_all(struct completion *x);

typedef struct wait_queue_head { spinlock_t lock; struct list_head head; } wait_queue_head_t;
#define DECLARE_WAIT_QUEUE_HEAD(name) struct wait_queue_head name
void init_waitqueue_head(struct wait_queue_head *wq);
typedef struct wait_queue_entry wait_queue_entry_t;
typedef int (*wait_queue_func_t)(struct wait_queue_entry *entry, unsigned int mode, int flags, void *key);
struct wait_queue_entry { unsigned int flags; void *private; wait_queue_func_t func; struct list_head entry; };
static inline void init_waitqueue_func_entry(struct wait_queue_entry *entry, wait_queue_func_t func)
{
	entry->flags = 0;
	entry->private = NULL;
	entry->func = func;
}
void add_wait_queue(struct wait_queue_head *wq, struct wait_queue_entry *entry);
void remove_wait_queue(struct wait_queue_head *wq, struct wait_queue_entry *entry);
void __wake_up(struct wait_queue_head *wq, unsigned int mode, int nr, void *key);
void __wake_up_sync_key(struct wait_queue_head *wq, unsigned int mode, void *key);
#define wake_up(wq) __wake_up(wq, 3, 1, NULL)
#define wake_up_interruptible(wq) __wake_up(wq, 1, 1, NULL)
void schedule(void);
long schedule_timeout(long timeout);
int signal_pending(void *task);
#define wait_event(wq, condition) do { while (!(condition)) schedule(); } while (0)
#define wait_event_interruptible(wq, condition) ({ \
	int __ret = 0; \
	while (!(condition)) { \
		if (signal_pending(NULL)) { __ret = -ERESTARTSYS; break; } \
		schedule(); \
	} \
	__ret; })

void preempt_disable(void);
void preempt_enable(void);
unsigned long arch_local_irq_save(void);
void arch_local_irq_restore(unsigned long flags);
#define local_irq_save(flags) do { (flags) = arch_local_irq_save(); } while (0)
#define local_irq_restore(flags) arch_local_irq_restore(flags)
void local_irq_disable(void);
void local_irq_enable(void);
void local_bh_disable(void);
void local_bh_enable(void);
void rcu_read_lock(void);
void rcu_read_unlock(void);
void synchronize_rcu(void);
struct rcu_head { struct rcu_head *next; void (*func)(struct rcu_head *head); };
void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head));
void kvfree_call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head));
#define kfree_rcu(p, member) \
	kvfree_call_rcu(&(p)->member, (void (*)(struct rcu_head *))(unsigned long)offsetof(__typeof__(*(p)), member))
#define kfree_rcu_mightsleep(p) kvfree_call_rcu(NULL, (void (*)(struct rcu_head *))(p))
#define rcu_dereference(p) READ_ONCE(p)
#define rcu_assign_pointer(p, v) smp_store_release(&(p), (v))

/* --- memory and text ------------------------------------------------------------------------ */

#define GFP_KERNEL 0u
#define GFP_ATOMIC 1u
#define __GFP_ZERO 2u
void *kmalloc(size_t size, gfp_t flags);
void *kzalloc(size_t size, gfp_t flags);
void *kcalloc(size_t n, size_t size, gfp_t flags);
void *kmalloc_array(size_t n, size_t size, gfp_t flags);
void *kmemdup(const void *src, size_t len, gfp_t flags);
char *kstrdup(const char *s, gfp_t flags);
void kfree(const void *p);
void *vmalloc(unsigned long size);
void *vzalloc(unsigned long size);
void vfree(const void *p);
void *devm_kzalloc(struct device *dev, size_t size, gfp_t flags);
void *devm_kmalloc(struct device *dev, size_t size, gfp_t flags);
void *dma_alloc_coherent(struct device *dev, size_t size, dma_addr_t *handle, gfp_t flags);
void dma_free_coherent(struct device *dev, size_t size, void *address, dma_addr_t handle);
unsigned long __get_free_pages(gfp_t flags, unsigned int order);
void free_pages(unsigned long addr, unsigned int order);

void *memset(void *p, int c, size_t n);
void *memcpy(void *dst, const void *src, size_t n);
void *memmove(void *dst, const void *src, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
ssize_t strscpy(char *dst, const char *src, size_t size);
char *strncpy(char *dst, const char *src, size_t n);
int snprintf(char *buf, size_t size, const char *fmt, ...);
int scnprintf(char *buf, size_t size, const char *fmt, ...);
int sprintf(char *buf, const char *fmt, ...);
int sysfs_emit(char *buf, const char *fmt, ...);
int kstrtoint(const char *s, unsigned int base, int *result);
int kstrtouint(const char *s, unsigned int base, unsigned int *result);
int kstrtoul(const char *s, unsigned int base, unsigned long *result);

unsigned long copy_from_user(void *to, const void __user *from, unsigned long n);
unsigned long copy_to_user(void __user *to, const void *from, unsigned long n);
void *memdup_user(const void __user *from, size_t len);
ssize_t simple_read_from_buffer(void __user *to, size_t count, loff_t *pos, const void *from, size_t available);
ssize_t simple_write_to_buffer(void *to, size_t available, loff_t *pos, const void __user *from, size_t count);
unsigned long long __get_user_8(const void __user *from);
int __put_user_8(unsigned long long value, void __user *to);
#define get_user(x, ptr) ({ (x) = (__typeof__(*(ptr)))__get_user_8(ptr); 0; })
#define put_user(x, ptr) __put_user_8((unsigned long long)(x), ptr)

/* --- time and registers --------------------------------------------------------------------- */

#define HZ 250
extern volatile unsigned long jiffies;
void msleep(unsigned int ms);
void __udelay(unsigned long us);
#define udelay(n) __udelay(n)
#define mdelay(n) __udelay((n) * 1000)
void usleep_range(unsigned long lo, unsigned long hi);
unsigned long msecs_to_jiffies(unsigned int ms);
ktime_t ktime_get(void);
#define time_after(a, b) ((long)((b) - (a)) < 0)
#define time_before(a, b) time_after(b, a)

u8 readb(const volatile void __iomem *addr);
u16 readw(const volatile void __iomem *addr);
u32 readl(const volatile void __iomem *addr);
void writeb(u8 value, volatile void __iomem *addr);
void writew(u16 value, volatile void __iomem *addr);
void writel(u32 value, volatile void __iomem *addr);
unsigned int ioread8(const void __iomem *addr);
unsigned int ioread16(const void __iomem *addr);
unsigned int ioread32(const void __iomem *addr);
void iowrite8(u8 value, void __iomem *addr);
void iowrite16(u16 value, void __iomem *addr);
void iowrite32(u32 value, void __iomem *addr);
u8 inb(int port);
u16 inw(int port);
u32 inl(int port);
void outb(u8 value, int port);
void outw(u16 value, int port);
void outl(u32 value, int port);
void __iomem *ioremap(phys_addr_t addr, unsigned long size);
void iounmap(volatile void __iomem *addr);

/* --- devices -------------------------------------------------------------------------------- */

struct kobject { const char *name; struct kobject *parent; void *sd; };
struct attribute { const char *name; umode_t mode; };
struct dev_pm_ops {
	int (*prepare)(struct device *dev);
	void (*complete)(struct device *dev);
	int (*suspend)(struct device *dev);
	int (*resume)(struct device *dev);
	int (*freeze)(struct device *dev);
	int (*thaw)(struct device *dev);
	int (*poweroff)(struct device *dev);
	int (*restore)(struct device *dev);
	int (*runtime_suspend)(struct device *dev);
	int (*runtime_resume)(struct device *dev);
	int (*runtime_idle)(struct device *dev);
	int (*suspend_late)(struct device *dev);
};
#define SET_SYSTEM_SLEEP_PM_OPS(s, r) .suspend = s, .resume = r, .freeze = s, .thaw = r, .poweroff = s, .restore = r,
#define SET_RUNTIME_PM_OPS(s, r, i) .runtime_suspend = s, .runtime_resume = r, .runtime_idle = i,
#define SIMPLE_DEV_PM_OPS(name, s, r) const struct dev_pm_ops name = { SET_SYSTEM_SLEEP_PM_OPS(s, r) }
struct of_device_id { char name[32], type[32], compatible[128]; const void *data; };
struct platform_device_id { char name[20]; kernel_ulong_t driver_data; };
struct device_driver {
	const char *name;
	struct module *owner;
	const struct dev_pm_ops *pm;
	const struct of_device_id *of_match_table;
	const struct attribute_group **dev_groups;
};
struct dev_pm_info { unsigned int can_wakeup : 1; void *wakeup; };
struct fwnode_handle { void *secondary; struct device *dev; };
struct device_private;
struct device {
	struct kobject kobj;
	struct device *parent;
	struct device_private *p;
	struct mutex mutex;
	void *driver_data;
	struct fwnode_handle *fwnode;
	void *platform_data;
	u64 *dma_mask, coherent_dma_mask;
	struct device_driver *driver;
	const struct attribute_group **groups;
	struct dev_pm_info power;
};
static inline void *dev_get_drvdata(const struct device *dev) { return dev->driver_data; }
static inline void dev_set_drvdata(struct device *dev, void *data) { dev->driver_data = data; }
void device_lock(struct device *dev);
int device_lock_interruptible(struct device *dev);
int device_trylock(struct device *dev);
void device_unlock(struct device *dev);
const void *of_device_get_match_data(const struct device *dev);
int device_add_groups(struct device *dev, const struct attribute_group **g);
int device_register(struct device *dev);
struct device_attribute {
	struct attribute attr;
	ssize_t (*show)(struct device *dev, struct device_attribute *attr, char *buf);
	ssize_t (*store)(struct device *dev, struct device_attribute *attr, const char *buf, size_t count);
};
#define __ATTR(n, m, s, t) { .attr = { .name = #n, .mode = m }, .show = s, .store = t }
#define DEVICE_ATTR(n, m, s, t) struct device_attribute dev_attr_##n = __ATTR(n, m, s, t)
#define DEVICE_ATTR_RW(n) struct device_attribute dev_attr_##n = __ATTR(n, 0644, n##_show, n##_store)
#define DEVICE_ATTR_RO(n) struct device_attribute dev_attr_##n = __ATTR(n, 0444, n##_show, NULL)
int device_create_file(struct device *dev, const struct device_attribute *attr);
void device_remove_file(struct device *dev, const struct device_attribute *attr);
struct file;
struct bin_attribute {
	struct attribute attr;
	size_t size;
	ssize_t (*read)(struct file *file, struct kobject *kobj, struct bin_attribute *attr, char *buf, loff_t pos, size_t n);
};
struct attribute_group {
	const char *name;
	umode_t (*is_visible)(struct kobject *kobj, struct attribute *attr, int n);
	struct attribute **attrs;
};
int sysfs_create_group(struct kobject *kobj, const struct attribute_group *group);
void sysfs_remove_group(struct kobject *kobj, const struct attribute_group *group);
int sysfs_create_file_ns(struct kobject *kobj, const struct attribute *attr, const void *ns);
#define sysfs_create_file(kobj, attr) sysfs_create_file_ns(kobj, attr, NULL)
int sysfs_create_bin_file(struct kobject *kobj, const struct bin_attribute *attr);
struct class;
int device_register(struct device *dev);
struct device *device_create(struct class *cls, struct device *parent, dev_t devt, void *data, const char *fmt, ...);
int devm_add_action(struct device *dev, void (*action)(void *data), void *data);
void devm_release_action(struct device *dev, void (*action)(void *data), void *data);
int device_for_each_child(struct device *dev, void *data, int (*fn)(struct device *dev, void *data));

struct notifier_block { int (*notifier_call)(struct notifier_block *nb, unsigned long event, void *data); struct notifier_block *next; int priority; };
struct blocking_notifier_head { struct rw_semaphore rwsem; struct notifier_block *head; };
struct atomic_notifier_head { spinlock_t lock; struct notifier_block *head; };
int register_reboot_notifier(struct notifier_block *nb);
int unregister_reboot_notifier(struct notifier_block *nb);
int blocking_notifier_chain_register(struct blocking_notifier_head *nh, struct notifier_block *nb);
int blocking_notifier_call_chain(struct blocking_notifier_head *nh, unsigned long event, void *data);
int pm_runtime_get_sync(struct device *dev);
int pm_runtime_put(struct device *dev);
void pm_runtime_enable(struct device *dev);

struct platform_device { const char *name; int id; struct device dev; const struct platform_device_id *id_entry; };
static inline struct platform_device *to_platform_device(struct device *d) { return container_of(d, struct platform_device, dev); }

struct platform_device_info { const char *name; int id; const void *data; size_t size_data; };
struct platform_device *platform_device_register_full(const struct platform_device_info *info);
int platform_device_add_data(struct platform_device *pdev, const void *data, size_t size);
int platform_device_add(struct platform_device *pdev);
struct platform_driver {
	int (*probe)(struct platform_device *pdev);
	int (*remove)(struct platform_device *pdev);
	void (*shutdown)(struct platform_device *pdev);
	int (*suspend)(struct platform_device *pdev, int state);
	int (*resume)(struct platform_device *pdev);
	struct device_driver driver;
	const struct platform_device_id *id_table;
};
int __platform_driver_register(struct platform_driver *driver, struct module *owner);
void platform_driver_unregister(struct platform_driver *driver);
#define platform_driver_register(drv) __platform_driver_register(drv, THIS_MODULE)
#define module_platform_driver(drv) module_driver(drv, platform_driver_register, platform_driver_unregister)
static inline void *platform_get_drvdata(const struct platform_device *pdev) { return pdev->dev.driver_data; }
static inline void platform_set_drvdata(struct platform_device *pdev, void *data) { pdev->dev.driver_data = data; }
int platform_get_irq(struct platform_device *pdev, unsigned int num);

struct pci_device_id { u32 vendor, device, subvendor, subdevice, class_id, class_mask; kernel_ulong_t driver_data; };
#define PCI_ANY_ID (~0u)
#define PCI_DEVICE(v, d) .vendor = (v), .device = (d), .subvendor = PCI_ANY_ID, .subdevice = PCI_ANY_ID
#define PCI_VDEVICE(v, d) PCI_DEVICE(v, d)
struct pci_dev {
	struct device dev;
	unsigned int irq;
	unsigned short vendor, device;
	u64 resource[7];
	int current_state;
	unsigned int is_busmaster:1, msi_enabled:1, msix_enabled:1, is_managed:1, state_saved:1, is_virtfn:1;
	u32 saved_config_space[16];
};
struct pci_driver {
	const char *name;
	const struct pci_device_id *id_table;
	int (*probe)(struct pci_dev *dev, const struct pci_device_id *id);
	void (*remove)(struct pci_dev *dev);
	int (*suspend)(struct pci_dev *dev, int state);
	int (*resume)(struct pci_dev *dev);
	void (*shutdown)(struct pci_dev *dev);
	struct device_driver driver;
	int (*sriov_configure)(struct pci_dev *dev, int n);
};
#define to_pci_dev(d) container_of(d, struct pci_dev, dev)
int __pci_register_driver(struct pci_driver *driver, struct module *owner, const char *name);
void pci_unregister_driver(struct pci_driver *driver);
#define pci_register_driver(drv) __pci_register_driver(drv, THIS_MODULE, "driver")
#define module_pci_driver(drv) module_driver(drv, pci_register_driver, pci_unregister_driver)
static inline void *pci_get_drvdata(struct pci_dev *pdev) { return pdev->dev.driver_data; }
static inline void pci_set_drvdata(struct pci_dev *pdev, void *data) { pdev->dev.driver_data = data; }
int pci_enable_device(struct pci_dev *dev);
void pci_disable_device(struct pci_dev *dev);
void pci_set_master(struct pci_dev *dev);
int pci_request_regions(struct pci_dev *dev, const char *name);
void pci_release_regions(struct pci_dev *dev);
void __iomem *pci_iomap(struct pci_dev *dev, int bar, unsigned long max);
void pci_iounmap(struct pci_dev *dev, void __iomem *addr);
int pci_read_config_byte(const struct pci_dev *dev, int where, u8 *value);
int pci_read_config_word(const struct pci_dev *dev, int where, u16 *value);
int pci_read_config_dword(const struct pci_dev *dev, int where, u32 *value);
int pci_write_config_word(const struct pci_dev *dev, int where, u16 value);

/* --- interrupts, timers, work, threads ------------------------------------------------------ */

typedef enum irqreturn { IRQ_NONE = 0, IRQ_HANDLED = 1, IRQ_WAKE_THREAD = 2 } irqreturn_t;
typedef irqreturn_t (*irq_handler_t)(int irq, void *dev_id);
#define IRQF_SHARED 0x80
#define IRQF_ONESHOT 0x2000
int request_threaded_irq(unsigned int irq, irq_handler_t handler, irq_handler_t thread, unsigned long flags,
			 const char *name, void *dev_id);
static inline int request_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name,
			      void *dev_id)
{
	return request_threaded_irq(irq, handler, NULL, flags, name, dev_id);
}
void devm_free_irq(struct device *dev, unsigned int irq, void *dev_id);
int devm_request_irq(struct device *dev, unsigned int irq, irq_handler_t handler, unsigned long flags,
		     const char *name, void *dev_id);
const void *free_irq(unsigned int irq, void *dev_id);
void disable_irq(unsigned int irq);
void disable_irq_nosync(unsigned int irq);
void enable_irq(unsigned int irq);
void synchronize_irq(unsigned int irq);

struct timer_list { struct hlist_node entry; unsigned long expires; void (*function)(struct timer_list *timer); u32 flags; };
void init_timer_key(struct timer_list *timer, void (*function)(struct timer_list *), unsigned int flags,
		    const char *name, struct lock_class_key *key);
#define timer_setup(timer, function, flags) init_timer_key(timer, function, flags, NULL, NULL)
#define from_timer(var, timer, field) container_of(timer, __typeof__(*var), field)
#define DEFINE_TIMER(name, fn) struct timer_list name = { .function = fn }
int mod_timer(struct timer_list *timer, unsigned long expires);
void add_timer(struct timer_list *timer);
int del_timer(struct timer_list *timer);
int del_timer_sync(struct timer_list *timer);
int timer_delete_sync(struct timer_list *timer);

struct work_struct;
typedef void (*work_func_t)(struct work_struct *work);
struct work_struct { atomic_long_t data; struct list_head entry; work_func_t func; };
struct delayed_work { struct work_struct work; struct timer_list timer; };
struct workqueue_struct;
#define INIT_WORK(w, f) do { (w)->data.counter = 0; (w)->func = (f); } while (0)
#define INIT_DELAYED_WORK(w, f) INIT_WORK(&(w)->work, f)
#define DECLARE_WORK(name, f) struct work_struct name = { .func = f }
#define DECLARE_DELAYED_WORK(name, f) struct delayed_work name = { .work = { .func = f } }
#define to_delayed_work(w) container_of(w, struct delayed_work, work)
bool schedule_work(struct work_struct *work);
bool schedule_delayed_work(struct delayed_work *work, unsigned long delay);
bool queue_work(struct workqueue_struct *wq, struct work_struct *work);
bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *work, unsigned long delay);
bool mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *work, unsigned long delay);
bool cancel_work(struct work_struct *work);
bool cancel_work_sync(struct work_struct *work);
bool cancel_delayed_work(struct delayed_work *work);
bool cancel_delayed_work_sync(struct delayed_work *work);
bool flush_work(struct work_struct *work);
bool flush_delayed_work(struct delayed_work *work);
struct workqueue_struct *alloc_workqueue(const char *fmt, unsigned int flags, int max, ...);
void destroy_workqueue(struct workqueue_struct *wq);

struct tasklet_struct { struct tasklet_struct *next; unsigned long state; void (*callback)(struct tasklet_struct *t); void (*func)(unsigned long data); unsigned long data; };
void tasklet_setup(struct tasklet_struct *t, void (*callback)(struct tasklet_struct *));
void tasklet_schedule(struct tasklet_struct *t);
void tasklet_kill(struct tasklet_struct *t);
void tasklet_disable(struct tasklet_struct *t);
void tasklet_disable_nosync(struct tasklet_struct *t);
void tasklet_enable(struct tasklet_struct *t);

struct task_struct { unsigned int flags; struct { int counter; } usage; };
struct task_struct *kthread_create_on_node(int (*fn)(void *data), void *data, int node, const char *fmt, ...);
struct kthread_worker { unsigned int flags; };
struct kthread_work { struct list_head node; void (*func)(struct kthread_work *work); };
#define kthread_init_work(w, fn) do { (w)->func = (fn); } while (0)
bool kthread_queue_work(struct kthread_worker *worker, struct kthread_work *work);
bool kthread_cancel_work_sync(struct kthread_work *work);
void kthread_flush_work(struct kthread_work *work);
struct irq_work { void (*func)(struct irq_work *work); };
static inline void init_irq_work(struct irq_work *work, void (*func)(struct irq_work *)) { work->func = func; }
bool irq_work_queue(struct irq_work *work);
void irq_work_sync(struct irq_work *work);
int wake_up_process(struct task_struct *task);
bool kthread_should_stop(void);
int kthread_stop(struct task_struct *task);
void kthread_complete_and_exit(struct completion *done, long result);
#define kthread_run(fn, data, ...) ({ \
	struct task_struct *__task = kthread_create_on_node(fn, data, -1, __VA_ARGS__); \
	if (!IS_ERR(__task)) wake_up_process(__task); \
	__task; })

/* --- files ---------------------------------------------------------------------------------- */

struct inode { umode_t i_mode; dev_t i_rdev; void *i_private; struct cdev *i_cdev; loff_t i_size; };
struct file { fmode_t f_mode; unsigned int f_flags; loff_t f_pos; void *private_data; const struct file_operations *f_op; struct inode *f_inode; };
struct pipe_inode_info;
struct kiocb { struct file *ki_filp; loff_t ki_pos; void (*ki_complete)(struct kiocb *iocb, long result); };
struct iov_iter { size_t count; };
struct vm_area_struct { unsigned long vm_start, vm_end, vm_pgoff, vm_flags; void *vm_private_data; };
struct poll_table_struct;
typedef struct poll_table_struct poll_table;
struct file_operations {
	struct module *owner;
	loff_t (*llseek)(struct file *file, loff_t offset, int whence);
	ssize_t (*read)(struct file *file, char __user *buf, size_t count, loff_t *pos);
	ssize_t (*write)(struct file *file, const char __user *buf, size_t count, loff_t *pos);
	ssize_t (*read_iter)(struct kiocb *iocb, struct iov_iter *iter);
	ssize_t (*write_iter)(struct kiocb *iocb, struct iov_iter *iter);
	__poll_t (*poll)(struct file *file, poll_table *wait);
	long (*unlocked_ioctl)(struct file *file, unsigned int cmd, unsigned long arg);
	long (*compat_ioctl)(struct file *file, unsigned int cmd, unsigned long arg);
	ssize_t (*splice_read)(struct file *file, loff_t *pos, struct pipe_inode_info *pipe, size_t n,
			       unsigned int flags);
	ssize_t (*splice_write)(struct pipe_inode_info *pipe, struct file *file, loff_t *pos, size_t n,
				unsigned int flags);
	ssize_t (*copy_file_range)(struct file *from, loff_t from_pos, struct file *to, loff_t to_pos, size_t n,
				   unsigned int flags);
	int (*mmap)(struct file *file, struct vm_area_struct *vma);
	int (*open)(struct inode *inode, struct file *file);
	int (*flush)(struct file *file, void *id);
	int (*release)(struct inode *inode, struct file *file);
	int (*fsync)(struct file *file, loff_t start, loff_t end, int datasync);
	int (*fasync)(int fd, struct file *file, int on);
};
loff_t no_llseek(struct file *file, loff_t offset, int whence);
loff_t noop_llseek(struct file *file, loff_t offset, int whence);
loff_t generic_file_llseek(struct file *file, loff_t offset, int whence);
int nonseekable_open(struct inode *inode, struct file *file);
int simple_open(struct inode *inode, struct file *file);
#define MINOR(dev) ((dev) & 0xfffff)
#define MAJOR(dev) ((dev) >> 20)
#define MKDEV(ma, mi) (((ma) << 20) | (mi))
static inline unsigned int iminor(const struct inode *inode) { return MINOR(inode->i_rdev); }
static inline struct inode *file_inode(const struct file *file) { return file->f_inode; }
void poll_wait(struct file *file, struct wait_queue_head *wq, poll_table *wait);
#define EPOLLIN 1u
#define EPOLLRDNORM 0x40u
#define EPOLLOUT 4u
#define _IO(type, nr) (((type) << 8) | (nr))
#define _IOR(type, nr, size) _IO(type, nr)
#define _IOW(type, nr, size) _IO(type, nr)

struct miscdevice { int minor; const char *name; const struct file_operations *fops; struct device *parent; struct device *this_device; };
#define MISC_DYNAMIC_MINOR 255
int misc_register(struct miscdevice *misc);
void misc_deregister(struct miscdevice *misc);
#define module_misc_device(misc) module_driver(misc, misc_register, misc_deregister)

struct cdev { struct kobject kobj; struct module *owner; const struct file_operations *ops; dev_t dev; };
void cdev_init(struct cdev *cdev, const struct file_operations *fops);
int cdev_add(struct cdev *cdev, dev_t dev, unsigned int count);
void cdev_del(struct cdev *cdev);
int alloc_chrdev_region(dev_t *dev, unsigned int minor, unsigned int count, const char *name);
int register_chrdev_region(dev_t dev, unsigned int count, const char *name);
void unregister_chrdev_region(dev_t dev, unsigned int count);
int __register_chrdev(unsigned int major, unsigned int minor, unsigned int count, const char *name,
		      const struct file_operations *fops);
void __unregister_chrdev(unsigned int major, unsigned int minor, unsigned int count, const char *name);
#define register_chrdev(major, name, fops) __register_chrdev(major, 0, 256, name, fops)
#define unregister_chrdev(major, name) __unregister_chrdev(major, 0, 256, name)

struct seq_file { char *buf; size_t size, count; struct mutex lock; void *private; };
void seq_printf(struct seq_file *m, const char *fmt, ...);
void seq_puts(struct seq_file *m, const char *s);
struct proc_dir_entry;
struct proc_ops {
	int (*proc_open)(struct inode *inode, struct file *file);
	ssize_t (*proc_read)(struct file *file, char __user *buf, size_t count, loff_t *pos);
	ssize_t (*proc_write)(struct file *file, const char __user *buf, size_t count, loff_t *pos);
	loff_t (*proc_lseek)(struct file *file, loff_t offset, int whence);
	int (*proc_release)(struct inode *inode, struct file *file);
	ssize_t (*proc_read_iter)(struct kiocb *iocb, struct iov_iter *to);
};
struct proc_dir_entry *proc_create(const char *name, umode_t mode, struct proc_dir_entry *parent,
				   const struct proc_ops *ops);
struct proc_dir_entry *proc_create_single_data(const char *name, umode_t mode, struct proc_dir_entry *parent,
					       int (*show)(struct seq_file *m, void *v), void *data);
void remove_proc_entry(const char *name, struct proc_dir_entry *parent);
struct proc_dir_entry *proc_create_data(const char *name, umode_t mode, struct proc_dir_entry *parent,
					const struct proc_ops *ops, void *data);
int single_open(struct file *file, int (*show)(struct seq_file *m, void *v), void *data);
static inline void *pde_data(const struct inode *inode) { return inode->i_private; }
struct dentry;
struct vfsmount;
struct dentry *debugfs_create_automount(const char *name, struct dentry *parent,
					struct vfsmount *(*mount)(struct dentry *dentry, void *data), void *data);
struct dentry *debugfs_create_file(const char *name, umode_t mode, struct dentry *parent, void *data,
				   const struct file_operations *fops);
int hex_dump_to_buffer(const void *data, size_t len, int row, int group, char *text, size_t size, bool ascii);

/* --- registers, numbers -------------------------------------------------------------------- */

unsigned int _bcd2bin(unsigned char value);
#define bcd2bin(x) _bcd2bin(x)

struct regmap;
int regmap_read(struct regmap *map, unsigned int reg, unsigned int *value);
int regmap_write(struct regmap *map, unsigned int reg, unsigned int value);
int regmap_raw_read(struct regmap *map, unsigned int reg, void *data, size_t n);
int regmap_raw_write(struct regmap *map, unsigned int reg, const void *data, size_t n);

/* --- data structures ------------------------------------------------------------------------ */

struct __kfifo { unsigned int in, out, mask, esize; void *data; };
#define DECLARE_KFIFO_PTR(name, type) struct { struct __kfifo kfifo; type *kind; } name
int __kfifo_alloc(struct __kfifo *fifo, unsigned int size, size_t element, gfp_t flags);
void __kfifo_free(struct __kfifo *fifo);
unsigned int __kfifo_in(struct __kfifo *fifo, const void *buf, unsigned int n);
unsigned int __kfifo_out(struct __kfifo *fifo, void *buf, unsigned int n);
#define kfifo_alloc(fifo, size, flags) __kfifo_alloc(&(fifo)->kfifo, size, sizeof(*(fifo)->kind), flags)
#define kfifo_free(fifo) __kfifo_free(&(fifo)->kfifo)
#define kfifo_in(fifo, buf, n) __kfifo_in(&(fifo)->kfifo, buf, n)
#define kfifo_out(fifo, buf, n) __kfifo_out(&(fifo)->kfifo, buf, n)

struct xarray { spinlock_t xa_lock; gfp_t xa_flags; void *xa_head; };
#define DEFINE_XARRAY(name) struct xarray name
void *xa_load(struct xarray *xa, unsigned long index);
void *xa_store(struct xarray *xa, unsigned long index, void *entry, gfp_t flags);
void *xa_erase(struct xarray *xa, unsigned long index);
struct idr { struct xarray idr_rt; unsigned int idr_base, idr_next; };
#define DEFINE_IDR(name) struct idr name
int idr_alloc(struct idr *idr, void *entry, int start, int end, gfp_t flags);
void *idr_find(const struct idr *idr, unsigned long id);
void *idr_remove(struct idr *idr, unsigned long id);
void sort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *), void (*swap)(void *, void *, int));

/* --- network -------------------------------------------------------------------------------- */

void rtnl_lock(void);
void rtnl_unlock(void);
int rtnl_trylock(void);

#define ETH_ALEN 6
typedef enum netdev_tx { NETDEV_TX_OK = 0, NETDEV_TX_BUSY = 0x10 } netdev_tx_t;
struct sk_buff_list { struct sk_buff *next, *prev; };
struct sk_buff {
	union {
		struct { struct sk_buff *next, *prev; };
		struct sk_buff_list list;
	};
	struct net_device *dev;
	unsigned int len, data_len, tail, end, truesize;
	u16 protocol, mac_header, network_header, transport_header;
	char cb[48];
	u8 pkt_type;
	unsigned char *head, *data;
};
struct net_device_stats { unsigned long rx_packets, tx_packets, rx_bytes, tx_bytes, rx_errors, tx_errors, rx_dropped, tx_dropped, rx_fifo_errors; };
struct rtnl_link_stats64 { u64 rx_packets, tx_packets, rx_bytes, tx_bytes, rx_errors, tx_errors, rx_dropped, tx_dropped; };
struct ifreq { char name[16]; int value; };
struct net_device;
struct netdev_queue { struct net_device *dev; unsigned long state; };
struct net_device_ops {
	int (*ndo_init)(struct net_device *dev);
	int (*ndo_open)(struct net_device *dev);
	int (*ndo_stop)(struct net_device *dev);
	netdev_tx_t (*ndo_start_xmit)(struct sk_buff *skb, struct net_device *dev);
	void (*ndo_set_rx_mode)(struct net_device *dev);
	int (*ndo_set_mac_address)(struct net_device *dev, void *addr);
	int (*ndo_validate_addr)(struct net_device *dev);
	int (*ndo_eth_ioctl)(struct net_device *dev, struct ifreq *ifr, int cmd);
	int (*ndo_change_mtu)(struct net_device *dev, int mtu);
	void (*ndo_tx_timeout)(struct net_device *dev, unsigned int queue);
	void (*ndo_get_stats64)(struct net_device *dev, struct rtnl_link_stats64 *stats);
	u16 (*ndo_select_queue)(struct net_device *dev, struct sk_buff *skb, struct net_device *sb_dev);
	int (*ndo_get_phys_port_name)(struct net_device *dev, char *name, size_t n);
	struct net_device_stats *(*ndo_get_stats)(struct net_device *dev);
	int (*ndo_set_features)(struct net_device *dev, netdev_features_t features);
	void (*ndo_poll_controller)(struct net_device *dev);
};
struct ethtool_drvinfo { char driver[32], version[32], bus_info[32]; };
struct ethtool_wolinfo { u32 supported, wolopts; };
struct phy_device;
struct ethtool_eeprom { u32 magic, offset, len; };
struct ethtool_coalesce { u32 rx, tx; };
struct ethtool_ts_info { int phc_index; };
struct ethtool_ops {
	void (*get_drvinfo)(struct net_device *dev, struct ethtool_drvinfo *info);
	void (*get_wol)(struct net_device *dev, struct ethtool_wolinfo *wol);
	int (*set_wol)(struct net_device *dev, struct ethtool_wolinfo *wol);
	u32 (*get_msglevel)(struct net_device *dev);
	void (*set_msglevel)(struct net_device *dev, u32 level);
	u32 (*get_link)(struct net_device *dev);
	int (*get_ts_info)(struct net_device *dev, struct ethtool_ts_info *info);
	int (*get_eeprom)(struct net_device *dev, struct ethtool_eeprom *eeprom, u8 *data);
	int (*get_coalesce)(struct net_device *dev, struct ethtool_coalesce *coalesce, void *kernel, void *ack);
	void (*get_strings)(struct net_device *dev, u32 set, u8 *data);
	int (*nway_reset)(struct net_device *dev);
};
struct net_device {
	char name[16];
	unsigned long state;
	unsigned int flags, mtu, ifindex, irq, promiscuity, allmulti, real_num_tx_queues, real_num_rx_queues;
	unsigned int gso_max_size, tso_max_size;
	u16 gso_max_segs, tso_max_segs;
	netdev_features_t features;
	const struct net_device_ops *netdev_ops;
	const struct ethtool_ops *ethtool_ops;
	struct net_device_stats stats;
	const unsigned char *dev_addr;
	struct netdev_queue *_tx;
	struct phy_device *phydev;
	struct device dev;
	u8 reg_state;
	bool needs_free_netdev;
};
#define NETDEV_ALIGN 32
static inline void *netdev_priv(const struct net_device *dev)
{
	return (char *)dev + ALIGN(sizeof(struct net_device), NETDEV_ALIGN);
}
#define SET_NETDEV_DEV(net, pdev) ((net)->dev.parent = (pdev))
struct net_device *alloc_etherdev_mqs(int private_size, unsigned int txqs, unsigned int rxqs);
#define alloc_etherdev(size) alloc_etherdev_mqs(size, 1, 1)
void free_netdev(struct net_device *dev);
int register_netdev(struct net_device *dev);
void unregister_netdev(struct net_device *dev);
int eth_mac_addr(struct net_device *dev, void *addr);
int eth_validate_addr(struct net_device *dev);
u16 eth_type_trans(struct sk_buff *skb, struct net_device *dev);
enum { LP_QUEUE_STOPPED = 0, LP_LINK_START = 0, LP_LINK_NOCARRIER = 2 };
static inline void netif_start_queue(struct net_device *dev) { clear_bit(LP_QUEUE_STOPPED, &dev->_tx[0].state); }
static inline void netif_stop_queue(struct net_device *dev) { set_bit(LP_QUEUE_STOPPED, &dev->_tx[0].state); }
void netif_tx_wake_queue(struct netdev_queue *queue);
static inline void netif_wake_queue(struct net_device *dev) { netif_tx_wake_queue(&dev->_tx[0]); }
static inline bool netif_queue_stopped(const struct net_device *dev) { return test_bit(LP_QUEUE_STOPPED, &dev->_tx[0].state); }
static inline bool netif_running(const struct net_device *dev) { return test_bit(LP_LINK_START, &dev->state); }
void netif_carrier_on(struct net_device *dev);
void netif_carrier_off(struct net_device *dev);
void netif_device_attach(struct net_device *dev);
void netif_device_detach(struct net_device *dev);
struct sk_buff *__netdev_alloc_skb(struct net_device *dev, unsigned int len, gfp_t flags);
#define netdev_alloc_skb(dev, len) __netdev_alloc_skb(dev, len, GFP_ATOMIC)
#define dev_alloc_skb(len) __netdev_alloc_skb(NULL, len, GFP_ATOMIC)
void *skb_put(struct sk_buff *skb, unsigned int len);
void dev_kfree_skb_any(struct sk_buff *skb);
void kfree_skb(struct sk_buff *skb);
#define dev_kfree_skb(skb) dev_kfree_skb_any(skb)
int netif_rx(struct sk_buff *skb);
int netif_receive_skb(struct sk_buff *skb);

struct napi_struct { struct list_head poll_list; unsigned long state; int weight; int (*poll)(struct napi_struct *napi, int budget); struct net_device *dev; };
void netif_napi_add_weight(struct net_device *dev, struct napi_struct *napi,
			   int (*poll)(struct napi_struct *napi, int budget), int weight);
#define netif_napi_add(dev, napi, poll) netif_napi_add_weight(dev, napi, poll, 64)
void napi_enable(struct napi_struct *napi);
void napi_disable(struct napi_struct *napi);
bool napi_schedule_prep(struct napi_struct *napi);
void __napi_schedule(struct napi_struct *napi);
bool napi_complete_done(struct napi_struct *napi, int work);
static inline bool napi_schedule(struct napi_struct *napi)
{
	if (!napi_schedule_prep(napi))
		return false;
	__napi_schedule(napi);
	return true;
}
unsigned int napi_gro_receive(struct napi_struct *napi, struct sk_buff *skb);

#endif
