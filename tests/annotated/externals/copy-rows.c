/* Copies to and from user space, devices and numbers in text. Where two ends are the driver's, one is read and the other
 * is written; each line that writes has an object of its own. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

unsigned long _copy_from_user(void *to, const void __user *from, unsigned long n);
unsigned long _copy_to_user(void __user *to, const void *from, unsigned long n);
int copy_struct_from_user(void *dst, size_t ksize, const void __user *src, size_t usize);
long strncpy_from_user(char *dst, const char __user *src, long count);
ssize_t simple_read_from_buffer(void __user *to, size_t count, loff_t *pos, const void *from, size_t available);
ssize_t simple_write_to_buffer(void *to, size_t available, loff_t *pos, const void __user *from, size_t count);
ssize_t memory_read_from_buffer(void *to, size_t count, loff_t *pos, const void *from, size_t available);
size_t _copy_from_iter(void *to, size_t n, struct iov_iter *iter);
size_t _copy_to_iter(const void *from, size_t n, struct iov_iter *iter);
void memcpy_fromio(void *to, const void __iomem *from, size_t n);
void memcpy_toio(void __iomem *to, const void *from, size_t n);
void __iowrite32_copy(void __iomem *to, const void *from, size_t count);
void __iowrite64_copy(void __iomem *to, const void *from, size_t count);
void insb(int port, void *buf, unsigned long count);
void outsb(int port, const void *buf, unsigned long count);
void ioread32_rep(const void __iomem *port, void *buf, unsigned long count);
void iowrite32_rep(void __iomem *port, const void *buf, unsigned long count);
int snprintf(char *buf, size_t size, const char *fmt, ...);
int sprintf(char *buf, const char *fmt, ...);
int sysfs_emit(char *buf, const char *fmt, ...);
int sysfs_emit_at(char *buf, int at, const char *fmt, ...);
int kstrtoint(const char *s, unsigned int base, int *res);
int kstrtoul(const char *s, unsigned int base, unsigned long *res);
int kstrtobool(const char *s, bool *res);
int kstrtoint_from_user(const char __user *s, size_t count, unsigned int base, int *res);
int kstrtobool_from_user(const char __user *s, size_t count, bool *res);
unsigned long simple_strtoul(const char *s, char **end, unsigned int base);
int hex2bin(u8 *dst, const char *src, size_t count);
char *bin2hex(char *dst, const void *src, size_t count);
u32 crc32_le(u32 seed, const unsigned char *p, size_t n);
u8 crc8(const u8 *table, const u8 *data, size_t n, u8 seed);
void crc8_populate_msb(u8 *table, u8 polynomial);
void get_random_bytes(void *buf, size_t n);
void add_device_randomness(const void *buf, size_t n);
char *__get_task_comm(char *buf, size_t size, struct task_struct *task);

static char same[64], changed[64], far[64];
static char out0[64], out1[64], out2[64], out3[64], out4[64], out5[64], out6[64], out7[64], out8[64], out9[64];
static char out10[64], out11[64], out12[64], out13[64], out14[64], out15[64], out16[64], out17[64];
static loff_t position[3];
static struct iov_iter iterators[2];
static unsigned long number[3];
static int value[2];
static bool flag[2];

static long demo_user(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;
	struct iov_iter iter = { .count = 4 };
	loff_t pos = 0;
	char own[64];

	switch (cmd) {
	case 0:
		_copy_from_user(out0, user, 4); // RACE!
		_copy_to_user(user, same, 4); // NORACE
		_copy_to_user(user, changed, 4); // RACE!
		copy_struct_from_user(out1, 4, user, 4); // RACE!
		strncpy_from_user(out2, user, 4); // RACE!
		break;
	case 1:
		simple_read_from_buffer(user, 4, &pos, same, 4); // NORACE
		simple_read_from_buffer(user, 4, &pos, changed, 4); // RACE!
		simple_read_from_buffer(user, 4, &position[0], same, 4); // RACE!
		simple_write_to_buffer(out3, 4, &pos, user, 4); // RACE!
		simple_write_to_buffer(own, 4, &position[1], user, 4); // RACE!
		break;
	case 2:
		memory_read_from_buffer(own, 4, &pos, same, 4); // NORACE
		memory_read_from_buffer(own, 4, &pos, changed, 4); // RACE!
		memory_read_from_buffer(out4, 4, &pos, same, 4); // RACE!
		memory_read_from_buffer(own, 4, &position[2], same, 4); // RACE!
		break;
	case 3:
		_copy_from_iter(out5, 4, &iter); // RACE!
		_copy_from_iter(own, 4, &iterators[0]); // RACE!
		_copy_to_iter(same, 4, &iter); // NORACE
		_copy_to_iter(changed, 4, &iter); // RACE!
		_copy_to_iter(same, 4, &iterators[1]); // RACE!
		break;
	}
	return 0;
}

static long demo_device(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __iomem *io = (void __iomem *)arg;

	switch (cmd) {
	case 0:
		memcpy_fromio(out6, io, 4); // RACE!
		memcpy_toio(io, same, 4); // NORACE
		memcpy_toio(io, changed, 4); // RACE!
		break;
	case 1:
		insb(1, out7, 4); // RACE!
		outsb(1, same, 4); // NORACE
		outsb(1, changed, 4); // RACE!
		break;
	case 2:
		ioread32_rep(io, out8, 4); // RACE!
		iowrite32_rep(io, same, 4); // NORACE
		iowrite32_rep(io, changed, 4); // RACE!
		break;
	case 3: /* counted in bytes, in four and in eight of them */
		memcpy_toio(io, far, 6); // NORACE
		__iowrite32_copy(io, far, 6); // RACE!
		__iowrite64_copy(io, far, 3); // RACE!
		__iowrite64_copy(io, same, 3); // NORACE
		break;
	}
	return 0;
}

static int demo_text(struct file *file, loff_t start, loff_t end, int cmd)
{
	unsigned long n;
	char *rest;
	bool on;
	int i;

	switch (cmd) {
	case 0:
		snprintf(out9, 4, "%d", cmd); // RACE!
		sprintf(out10, "%d", cmd); // RACE!
		sysfs_emit(out11, "%d", cmd); // RACE!
		sysfs_emit_at(out12, 1, "%d", cmd); // RACE!
		break;
	case 1:
		kstrtoint(same, 0, &i); // NORACE
		kstrtoint(changed, 0, &i); // RACE!
		kstrtoint(same, 0, &value[0]); // RACE!
		kstrtoint_from_user((void __user *)start, 4, 0, &value[1]); // RACE!
		break;
	case 2:
		kstrtoul(same, 0, &n); // NORACE
		kstrtoul(changed, 0, &n); // RACE!
		kstrtoul(same, 0, &number[0]); // RACE!
		simple_strtoul(same, &rest, 0); // NORACE
		simple_strtoul(changed, &rest, 0); // RACE!
		simple_strtoul(same, (char **)&number[1], 0); // RACE!
		break;
	case 3:
		kstrtobool(same, &on); // NORACE
		kstrtobool(changed, &on); // RACE!
		kstrtobool(same, &flag[0]); // RACE!
		kstrtobool_from_user((void __user *)start, 4, &flag[1]); // RACE!
		break;
	}
	return 0;
}

static int demo_bytes(struct file *file, void *id)
{
	char own[64] = "";

	switch ((unsigned long)id) {
	case 0:
		hex2bin(own, same, 4); // NORACE
		hex2bin(own, changed, 4); // RACE!
		hex2bin(out13, same, 4); // RACE!
		bin2hex(own, same, 4); // NORACE
		bin2hex(own, changed, 4); // RACE!
		bin2hex(out14, same, 4); // RACE!
		break;
	case 1:
		crc32_le(0, same, 4); // NORACE
		crc32_le(0, changed, 4); // RACE!
		crc8(same, same, 4, 0); // NORACE
		crc8(changed, same, 4, 0); // RACE!
		crc8(same, changed, 4, 0); // RACE!
		crc8_populate_msb(out15, 7); // RACE!
		break;
	case 2:
		get_random_bytes(out16, 4); // RACE!
		add_device_randomness(same, 4); // NORACE
		add_device_randomness(changed, 4); // RACE!
		__get_task_comm(out17, 4, NULL); // RACE!
		break;
	}
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	changed[0] = 1; // RACE!
	far[20] = 1; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_user,
	.compat_ioctl = demo_device,
	.fsync = demo_text,
	.flush = demo_bytes,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
