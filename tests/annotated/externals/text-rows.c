/* Functions of memory and text: what only reads may run beside other readers, what reads is a race with a writer, and
 * what writes is one with itself. Each has an object of its own to write to. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

void *memset16(u16 *s, u16 v, size_t count);
void memzero_explicit(void *s, size_t count);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *s, int c, size_t n);
void *memchr_inv(const void *s, int c, size_t n);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t n);
size_t strspn(const char *s, const char *accept);
size_t strcspn(const char *s, const char *reject);
char *strchr(const char *s, int c);
char *strnchr(const char *s, size_t n, int c);
char *strpbrk(const char *s, const char *accept);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
bool sysfs_streq(const char *a, const char *b);
char *strstr(const char *a, const char *b);
char *strnstr(const char *a, const char *b, size_t n);
char *strcpy(char *dst, const char *src);
char *stpcpy(char *dst, const char *src);
char *strcat(char *dst, const char *src);
char *strncpy(char *dst, const char *src, size_t n);
char *strncat(char *dst, const char *src, size_t n);
size_t strlcpy(char *dst, const char *src, size_t size);
size_t strlcat(char *dst, const char *src, size_t size);
ssize_t strscpy(char *dst, const char *src, size_t size);
ssize_t strscpy_pad(char *dst, const char *src, size_t size);
char *skip_spaces(const char *s);
char *strim(char *s);
char *strreplace(char *s, char old, char new);
char *strsep(char **s, const char *ct);

static char same[32], changed[32];
static char out0[32], out1[32], out2[32], out3[32], out4[32], out5[32], out6[32], out7[32], out8[32], out9[32];
static char out10[32], out11[32], out12[32];
static char *next;

static long demo_reads(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		memcmp(same, same, 4); // NORACE
		memcmp(changed, same, 4); // RACE!
		memcmp(same, changed, 4); // RACE!
		return 0;
	case 1:
		memchr(same, 'x', 4); // NORACE
		memchr(changed, 'x', 4); // RACE!
		memchr_inv(same, 0, 4); // NORACE
		memchr_inv(changed, 0, 4); // RACE!
		return 0;
	case 2:
		strlen(same); // NORACE
		strlen(changed); // RACE!
		strnlen(same, 4); // NORACE
		strnlen(changed, 4); // RACE!
		return 0;
	case 3:
		strspn(same, same); // NORACE
		strspn(changed, same); // RACE!
		strspn(same, changed); // RACE!
		strcspn(same, changed); // RACE!
		return 0;
	case 4:
		strchr(same, 'x'); // NORACE
		strchr(changed, 'x'); // RACE!
		strnchr(same, 4, 'x'); // NORACE
		strnchr(changed, 4, 'x'); // RACE!
		strpbrk(same, same); // NORACE
		strpbrk(changed, same); // RACE!
		strpbrk(same, changed); // RACE!
		return 0;
	case 5:
		strcmp(same, same); // NORACE
		strcmp(changed, same); // RACE!
		strcmp(same, changed); // RACE!
		strncmp(same, same, 4); // NORACE
		strncmp(changed, same, 4); // RACE!
		strncmp(same, changed, 4); // RACE!
		sysfs_streq(same, same); // NORACE
		sysfs_streq(changed, same); // RACE!
		sysfs_streq(same, changed); // RACE!
		return 0;
	case 6:
		strstr(same, same); // NORACE
		strstr(changed, same); // RACE!
		strstr(same, changed); // RACE!
		strnstr(same, same, 4); // NORACE
		strnstr(changed, same, 4); // RACE!
		strnstr(same, changed, 4); // RACE!
		return 0;
	case 7:
		skip_spaces(same); // NORACE
		skip_spaces(changed); // RACE!
		return 0;
	}
	return 0;
}

static long demo_copies(struct file *file, unsigned int cmd, unsigned long arg)
{
	char own[32] = "";

	switch (cmd) {
	case 0:
		memset16((u16 *)out0, 1, 4); // RACE!
		memzero_explicit(out1, 4); // RACE!
		break;
	case 1:
		strcpy(own, same); // NORACE
		strcpy(own, changed); // RACE!
		strcpy(out2, same); // RACE!
		stpcpy(own, same); // NORACE
		stpcpy(own, changed); // RACE!
		stpcpy(out3, same); // RACE!
		strcat(own, same); // NORACE
		strcat(own, changed); // RACE!
		strcat(out4, same); // RACE!
		break;
	case 2:
		strncpy(own, same, 4); // NORACE
		strncpy(own, changed, 4); // RACE!
		strncpy(out5, same, 4); // RACE!
		strncat(own, same, 4); // NORACE
		strncat(own, changed, 4); // RACE!
		strncat(out6, same, 4); // RACE!
		break;
	case 3:
		strlcpy(own, same, 4); // NORACE
		strlcpy(own, changed, 4); // RACE!
		strlcpy(out7, same, 4); // RACE!
		strlcat(own, same, 4); // NORACE
		strlcat(own, changed, 4); // RACE!
		strlcat(out8, same, 4); // RACE!
		break;
	case 4:
		strscpy(own, same, 4); // NORACE
		strscpy(own, changed, 4); // RACE!
		strscpy(out9, same, 4); // RACE!
		strscpy_pad(own, same, 4); // NORACE
		strscpy_pad(own, changed, 4); // RACE!
		strscpy_pad(out10, same, 4); // RACE!
		break;
	case 5:
		strim(out11); // RACE!
		strreplace(out12, 'a', 'b'); // RACE!
		strsep(&next, same); // RACE!
		break;
	}
	return 0;
}

/* How far: all of a text is copied, or as much as was asked for; behind what is there, or from the start. */
static char far[32], appended[32], behind[32], start[32];

static int demo_lengths(struct file *file, loff_t start_at, loff_t end, int cmd)
{
	char own[32] = "";

	switch (cmd) {
	case 0:
		strlcpy(own, far, 4); // RACE!
		strlcat(own, far, 4); // RACE!
		strnstr(same, far, 4); // RACE!
		strscpy(own, far, 4); // NORACE
		strncpy(own, far, 4); // NORACE
		memcmp(own, far, 4); // NORACE
		break;
	case 1:
		strncat(appended, same, 4); // RACE!
		break;
	case 2:
		strncpy(start, same, 4); // RACE!
		*stpcpy(behind, same) = 'x'; // RACE!
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

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	if (start[20]) // NORACE
		return 1;
	if (appended[20]) // RACE!
		return 2;
	return behind[20]; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_reads,
	.compat_ioctl = demo_copies,
	.fsync = demo_lengths,
	.read = demo_read,
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
