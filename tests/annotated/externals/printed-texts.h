#include <linux/device.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <linux/string.h>

int vsnprintf(char *buf, size_t size, const char *fmt, va_list args);
int vsprintf(char *buf, const char *fmt, va_list args);
char *kasprintf(gfp_t gfp, const char *fmt, ...);
char *kvasprintf(gfp_t gfp, const char *fmt, va_list args);
char *devm_kvasprintf(struct device *dev, gfp_t gfp, const char *fmt, va_list args);
char *devm_kstrdup(struct device *dev, const char *text, gfp_t gfp);
void __warn_printk(const char *fmt, ...);
int dev_set_name(struct device *dev, const char *fmt, ...);
int kobject_set_name(struct kobject *kobj, const char *fmt, ...);
void _dev_printk(const char *level, const struct device *dev, const char *fmt, ...);
void netdev_info(const struct net_device *dev, const char *fmt, ...);
void netdev_printk(const char *level, const struct net_device *dev, const char *fmt, ...);
void __dynamic_pr_debug(void *place, const char *fmt, ...);
void __dynamic_dev_dbg(void *place, const struct device *dev, const char *fmt, ...);

extern struct device *device_of(int n);
extern struct net_device *net_of(int n);
