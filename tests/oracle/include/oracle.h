/* What the programs of the oracle need of a kernel: a few types with the kernel's member names, and
 * declarations. The functions have no bodies; the environment model says what they do. */
#ifndef ORACLE_H
#define ORACLE_H

#define NULL ((void *)0)
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define container_of(p, type, member) ((type *)((char *)(p) - __builtin_offsetof(type, member)))

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long size_t;
typedef long ssize_t;
typedef long loff_t;

struct module;
extern struct module __this_module;
#define THIS_MODULE (&__this_module)

struct mutex { long owner; long waiters; };
typedef struct spinlock { unsigned int val; } spinlock_t;
typedef struct rwlock { unsigned int val; } rwlock_t;
typedef struct { int counter; } atomic_t;
struct timer_list { unsigned long expires; void (*function)(struct timer_list *); };

struct work_struct { unsigned long data; void (*func)(struct work_struct *); };
#define INIT_WORK(work, function) ((work)->func = (function))

struct kobject { const char *name; };
struct device { struct kobject kobj; void *parent; void *driver_data; };
struct platform_device { const char *name; int id; struct device dev; };
struct platform_driver {
	int (*probe)(struct platform_device *);
	int (*remove)(struct platform_device *);
	int (*suspend)(struct platform_device *, int);
};
struct attribute { const char *name; unsigned short mode; };
struct attribute_group { const char *name; struct attribute **attrs; };
struct device_attribute {
	struct attribute attr;
	ssize_t (*show)(struct device *, struct device_attribute *, char *);
	ssize_t (*store)(struct device *, struct device_attribute *, const char *, size_t);
};

struct inode { void *i_private; };
struct file { unsigned int f_flags; void *private_data; struct inode *f_inode; };
struct file_operations {
	struct module *owner;
	ssize_t (*read)(struct file *, char *, size_t, loff_t *);
	ssize_t (*write)(struct file *, const char *, size_t, loff_t *);
	long (*unlocked_ioctl)(struct file *, unsigned int, unsigned long);
	int (*open)(struct inode *, struct file *);
	int (*release)(struct inode *, struct file *);
};
struct miscdevice { int minor; const char *name; const struct file_operations *fops; };
typedef int irqreturn_t;

/* Any number: nobody models it. */
extern unsigned int rnd(void);
/* Code that nobody models, which may change what it gets. */
extern void outside(void *object);

extern void mutex_lock(struct mutex *);
extern int mutex_lock_interruptible(struct mutex *);
extern int mutex_trylock(struct mutex *);
extern void mutex_unlock(struct mutex *);
extern void _raw_spin_lock(spinlock_t *);
extern int _raw_spin_trylock(spinlock_t *);
extern void _raw_spin_unlock(spinlock_t *);
extern void _raw_read_lock(rwlock_t *);
extern void _raw_read_unlock(rwlock_t *);
extern void _raw_write_lock(rwlock_t *);
extern void _raw_write_unlock(rwlock_t *);
extern int atomic_read(const atomic_t *);
extern void atomic_set(atomic_t *, int);
extern void atomic_inc(atomic_t *);
extern int atomic_dec_and_test(atomic_t *);
extern void set_bit(long, volatile unsigned long *);
extern void clear_bit(long, volatile unsigned long *);
extern void __set_bit(long, volatile unsigned long *);
extern int test_and_set_bit(long, volatile unsigned long *);
extern void *kzalloc(size_t, unsigned int);
extern void kfree(const void *);
extern void *memset(void *, int, size_t);
extern void *memcpy(void *, const void *, size_t);
extern int misc_register(struct miscdevice *);
extern void misc_deregister(struct miscdevice *);
extern int request_irq(unsigned int, irqreturn_t (*)(int, void *), unsigned long, const char *, void *);
extern void free_irq(unsigned int, void *);
extern void timer_setup(struct timer_list *, void (*)(struct timer_list *), unsigned int);
extern int mod_timer(struct timer_list *, unsigned long);
extern int del_timer(struct timer_list *);
extern int del_timer_sync(struct timer_list *);
extern int request_threaded_irq(unsigned int, irqreturn_t (*)(int, void *), irqreturn_t (*)(int, void *),
				unsigned long, const char *, void *);
extern int schedule_work(struct work_struct *);
extern int cancel_work(struct work_struct *);
extern int cancel_work_sync(struct work_struct *);
extern int __platform_driver_register(struct platform_driver *, struct module *);
extern int device_create_file(struct device *, const struct device_attribute *);
extern void device_remove_file(struct device *, const struct device_attribute *);
extern int sysfs_create_group(struct kobject *, const struct attribute_group *);
extern void sysfs_remove_group(struct kobject *, const struct attribute_group *);
extern void *__alloc_percpu(size_t, size_t);
extern void free_percpu(void *);
extern void preempt_disable(void);
extern void preempt_enable(void);
extern void local_bh_disable(void);
extern void local_bh_enable(void);
extern void local_irq_disable(void);
extern void local_irq_enable(void);
extern unsigned long arch_local_irq_save(void);
extern void local_irq_restore(unsigned long);
extern void _raw_spin_lock_bh(spinlock_t *);
extern void _raw_spin_unlock_bh(spinlock_t *);
extern unsigned long _raw_spin_lock_irqsave(spinlock_t *);
extern void _raw_spin_unlock_irqrestore(spinlock_t *, unsigned long);
extern void disable_irq(unsigned int);
extern void disable_irq_nosync(unsigned int);
extern void disable_hardirq(unsigned int);
extern void enable_irq(unsigned int);

/* Each CPU has a copy, which the kernel's own instruction finds. */
extern unsigned long this_cpu_off, __per_cpu_offset[];
extern int cpu_number;
#define PER_CPU __attribute__((section(".data..percpu")))
#define this_cpu_ptr(copies) ({ \
	unsigned long __own; \
	__asm__ __volatile__("add %%gs:%1, %0" : "=r"(__own) : "m"(this_cpu_off), "0"(copies)); \
	(__typeof__(*(copies)) *)__own; })
#define this_cpu_inc(name) __asm__ __volatile__("incl %%gs:%0" : "+m"(name))
#define smp_processor_id() ({ \
	int __number; \
	__asm__ __volatile__("movl %%gs:%1, %0" : "=r"(__number) : "m"(cpu_number)); \
	__number; })
#define per_cpu_ptr(copies, cpu) ({ \
	unsigned long __copy; \
	__asm__("" : "=r"(__copy) : "0"(copies)); \
	(__typeof__(copies))(__copy + __per_cpu_offset[(long)(cpu)]); })

struct sk_buff;
struct net_device;
struct net_device_ops {
	int (*ndo_open)(struct net_device *);
	int (*ndo_stop)(struct net_device *);
	int (*ndo_start_xmit)(struct sk_buff *, struct net_device *);
	int (*ndo_change_mtu)(struct net_device *, int);
	int (*ndo_eth_ioctl)(struct net_device *, void *, int);
};
struct netdev_queue { struct net_device *dev; unsigned long state; };
struct net_device {
	unsigned long state;
	const struct net_device_ops *netdev_ops;
	struct netdev_queue *_tx;
	unsigned char *dev_addr;
	unsigned int mtu;
};
struct napi_struct { unsigned long state; int (*poll)(struct napi_struct *, int); struct net_device *dev; };
extern void netif_napi_add(struct net_device *, struct napi_struct *, int (*)(struct napi_struct *, int));
extern void napi_enable(struct napi_struct *);
extern void napi_disable(struct napi_struct *);
extern void napi_schedule(struct napi_struct *);
static inline void *netdev_priv(const struct net_device *dev) { return (char *)dev + ((sizeof(*dev) + 31) & ~31UL); }
extern struct net_device *alloc_etherdev_mqs(int, unsigned int, unsigned int);
#define alloc_etherdev(size) alloc_etherdev_mqs(size, 1, 1)
extern void free_netdev(struct net_device *);
extern int register_netdev(struct net_device *);
extern void unregister_netdev(struct net_device *);
extern void netif_tx_disable(struct net_device *);
static inline void netif_stop_queue(struct net_device *dev) { set_bit(0, &dev->_tx->state); }
extern void netif_start_queue(struct net_device *);
extern void netif_wake_queue(struct net_device *);

extern void memcpy_fromio(void *, const volatile void *, size_t);

/* What the hand-written programs have in common. A program defines `setup`, which runs before the device
 * is registered. */
#define READ(name) static ssize_t name(struct file *f, char *to, size_t n, loff_t *at)
#define WRITE(name) static ssize_t name(struct file *f, const char *from, size_t n, loff_t *at)
#define IOCTL(name) static long name(struct file *f, unsigned int cmd, unsigned long arg)
#define OPEN(name) static int name(struct inode *inode, struct file *f)
#define DRIVER(...) \
	static const struct file_operations fops = { .owner = THIS_MODULE, __VA_ARGS__ }; \
	static struct miscdevice misc = { .minor = 1, .name = "drv", .fops = &fops }; \
	int init_module(void) { setup(); return misc_register(&misc); }

#endif
