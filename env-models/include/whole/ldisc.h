/* Line disciplines: the members that these inputs use. Not Linux. */
#pragma once
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/fs.h>
#include <linux/spinlock.h>
#include <linux/rwsem.h>
struct ktermios { unsigned int c_cflag; };
struct tty_struct { int magic; struct rw_semaphore termios_rwsem; struct mutex atomic_write_lock; struct ktermios termios; void *disc_data; };
struct tty_ldisc_ops {
	char *name;
	int num;
	int (*open)(struct tty_struct *tty);
	void (*close)(struct tty_struct *tty);
	ssize_t (*read)(struct tty_struct *tty, struct file *file, unsigned char *buf, size_t nr, void **cookie, unsigned long offset);
	ssize_t (*write)(struct tty_struct *tty, struct file *file, const unsigned char *buf, size_t nr);
	int (*ioctl)(struct tty_struct *tty, unsigned int cmd, unsigned long arg);
	void (*set_termios)(struct tty_struct *tty, const struct ktermios *old);
	void (*hangup)(struct tty_struct *tty);
	void (*receive_buf)(struct tty_struct *tty, const unsigned char *cp, const char *fp, int count);
	void (*write_wakeup)(struct tty_struct *tty);
	struct module *owner;
};
int tty_register_ldisc(struct tty_ldisc_ops *ops);
void tty_unregister_ldisc(struct tty_ldisc_ops *ops);
extern struct module __this_module;
#undef THIS_MODULE
#define THIS_MODULE (&__this_module)
