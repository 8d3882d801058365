/* What the inputs about per-CPU data share: the counts of a CPU, and a device. */
#pragma once
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/spinlock.h>
#include <linux/percpu.h>

struct counts {
	int events;
	int total;
};

#define DEMO_DEVICE(ioctl) \
	static const struct file_operations demo_fops = { \
		.owner = THIS_MODULE, \
		.unlocked_ioctl = ioctl, \
	}; \
	static struct miscdevice demo_misc = { \
		.minor = MISC_DYNAMIC_MINOR, \
		.name = "demo", \
		.fops = &demo_fops, \
	}
