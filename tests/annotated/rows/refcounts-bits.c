/* References, bits and bitmaps: atomic operations are no race with each other, the others are, and maps are read and
   written as far as they go. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/refcount.h>
#include <linux/bitops.h>

#undef __set_bit
#undef __clear_bit
#undef __test_and_set_bit
#undef __test_and_clear_bit
#undef __change_bit
#undef __test_and_change_bit
#undef change_bit
#undef test_and_change_bit
#undef test_bit
#undef _find_next_bit
void refcount_add(int n, refcount_t *r);
void refcount_dec(refcount_t *r);
bool refcount_sub_and_test(int n, refcount_t *r);
bool refcount_add_not_zero(int n, refcount_t *r);
bool refcount_dec_if_one(refcount_t *r);
bool arch___test_and_set_bit(long nr, volatile unsigned long *map);
void arch___clear_bit(long nr, volatile unsigned long *map);
bool arch___test_and_clear_bit(long nr, volatile unsigned long *map);
void arch___change_bit(long nr, volatile unsigned long *map);
bool arch___test_and_change_bit(long nr, volatile unsigned long *map);
void arch_change_bit(long nr, volatile unsigned long *map);
bool arch_test_and_change_bit(long nr, volatile unsigned long *map);
bool arch_test_and_set_bit_lock(long nr, volatile unsigned long *map);
void arch___clear_bit_unlock(long nr, volatile unsigned long *map);
bool arch_clear_bit_unlock_is_negative_byte(long nr, volatile unsigned long *map);
bool arch_test_bit(long nr, const volatile unsigned long *map);
bool arch_test_bit_acquire(long nr, const volatile unsigned long *map);
unsigned long _find_first_bit(const unsigned long *map, unsigned long n);
unsigned long _find_first_and_bit(const unsigned long *a, const unsigned long *b, unsigned long n);
unsigned long _find_next_bit(const unsigned long *map, unsigned long n, unsigned long start);
unsigned long _find_next_and_bit(const unsigned long *a, const unsigned long *b, unsigned long n, unsigned long start);
void __bitmap_or(unsigned long *to, const unsigned long *a, const unsigned long *b, unsigned int n);
bool __bitmap_equal(const unsigned long *a, const unsigned long *b, unsigned int n);
void __bitmap_complement(unsigned long *to, const unsigned long *map, unsigned int n);
unsigned int __bitmap_weight(const unsigned long *map, unsigned int n);
void __bitmap_set(unsigned long *map, unsigned int start, int n);
unsigned long bitmap_find_next_zero_area_off(unsigned long *map, unsigned long n, unsigned long start, unsigned int nr,
					     unsigned long mask, unsigned long offset);
unsigned long *bitmap_zalloc(unsigned int n, gfp_t flags);
unsigned long *bitmap_alloc(unsigned int n, gfp_t flags);
void bitmap_free(const unsigned long *map);
unsigned long *devm_bitmap_zalloc(struct device *dev, unsigned int n, gfp_t flags);
unsigned long *devm_bitmap_alloc(struct device *dev, unsigned int n, gfp_t flags);

static int wrong;
static refcount_t shared, counted;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	refcount_t *r = &shared;

	refcount_set(r, 1); // NORACE
	refcount_read(r); // NORACE
	refcount_add(1, r); // NORACE
	refcount_inc(r); // NORACE
	refcount_dec(r); // NORACE
	refcount_sub_and_test(1, r); // NORACE
	refcount_dec_and_test(r); // NORACE
	refcount_inc_not_zero(r); // NORACE
	refcount_add_not_zero(1, r); // NORACE
	refcount_dec_if_one(r); // NORACE

	r = &counted;
	refcount_set(r, 1); // RACE!
	refcount_add(1, r); // RACE!
	refcount_inc(r); // RACE!
	refcount_dec(r); // RACE!
	refcount_sub_and_test(1, r); // RACE!
	refcount_dec_and_test(r); // RACE!
	refcount_inc_not_zero(r); // RACE!
	refcount_add_not_zero(1, r); // RACE!
	refcount_dec_if_one(r); // RACE!
	return 0;
}

static unsigned long atomic[2], plain[8], flags, seen;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	arch_change_bit(3, atomic); // NORACE
	arch_test_and_change_bit(3, atomic); // NORACE
	arch_test_and_set_bit_lock(3, atomic); // NORACE
	arch___clear_bit_unlock(3, atomic); // NORACE
	arch_clear_bit_unlock_is_negative_byte(3, atomic); // NORACE
	arch_test_bit(3, atomic); // NORACE
	arch_test_bit_acquire(3, atomic); // NORACE

	arch___test_and_set_bit(3, &plain[0]); // RACE!
	arch___clear_bit(3, &plain[1]); // RACE!
	arch___test_and_clear_bit(3, &plain[2]); // RACE!
	arch___change_bit(3, &plain[3]); // RACE!
	arch___test_and_change_bit(3, &plain[4]); // RACE!

	arch_change_bit(3, &flags); // RACE!
	arch_test_and_change_bit(3, &flags); // RACE!
	arch_test_and_set_bit_lock(3, &flags); // RACE!
	arch___clear_bit_unlock(3, &flags); // RACE!
	arch_clear_bit_unlock_is_negative_byte(3, &flags); // RACE!
	arch_test_bit(3, &seen); // RACE!
	arch_test_bit_acquire(3, &seen); // RACE!
	return n;
}

static unsigned long read[3], changed[20], to[3], beyond[4];

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	unsigned long own[2] = {};

	_find_first_bit(read, 128); // NORACE
	_find_first_bit(&changed[0], 128); // RACE!
	_find_first_and_bit(read, read, 128); // NORACE
	_find_first_and_bit(&changed[2], read, 128); // RACE!
	_find_first_and_bit(read, &changed[4], 128); // RACE!
	_find_next_bit(read, 128, 1); // NORACE
	_find_next_bit(&changed[6], 128, 1); // RACE!
	_find_next_and_bit(read, &changed[8], 128, 1); // RACE!
	_find_next_and_bit(&changed[8], read, 128, 1); // RACE!
	__bitmap_or(own, read, read, 128); // NORACE
	__bitmap_or(own, &changed[10], read, 128); // RACE!
	__bitmap_or(own, read, &changed[10], 128); // RACE!
	__bitmap_or(&to[0], read, read, 64); // RACE!
	__bitmap_equal(read, read, 128); // NORACE
	__bitmap_equal(read, &changed[12], 128); // RACE!
	__bitmap_equal(&changed[12], read, 128); // RACE!
	__bitmap_complement(own, read, 128); // NORACE
	__bitmap_complement(own, &changed[14], 128); // RACE!
	__bitmap_complement(&to[1], read, 64); // RACE!
	__bitmap_weight(read, 128); // NORACE
	__bitmap_weight(&changed[16], 128); // RACE!
	__bitmap_set(own, 3, 5); // NORACE
	__bitmap_set(&to[2], 3, 5); // RACE!
	bitmap_find_next_zero_area_off(read, 128, 0, 1, 0, 0); // NORACE
	bitmap_find_next_zero_area_off(&changed[18], 128, 0, 1, 0, 0); // RACE!
	/* Two longs, not three. */
	_find_first_bit(&beyond[0], 128); // NORACE
	__bitmap_weight(&beyond[0], 128); // NORACE
	return 0;
}

static int demo_flush(struct file *file, void *id)
{
	unsigned long *map[] = {
		bitmap_zalloc(128, GFP_KERNEL), bitmap_alloc(128, GFP_KERNEL),
		devm_bitmap_zalloc(NULL, 128, GFP_KERNEL), devm_bitmap_alloc(NULL, 128, GFP_KERNEL),
	};
	int i;

	for (i = 0; i < 20; i++)
		changed[i] = 1; // RACE!
	beyond[2] = 1; // RACE!
	for (i = 0; i < 8; i++)
		seen = plain[i]; // RACE!
	i = counted.refs.counter; // RACE!
	flags = 1; // RACE!
	if (!map[0] || !map[1] || !map[2] || !map[3])
		return -ENOMEM;
	if (map[0][1] || map[2][1]) // NORACE
		wrong++; // NORACE
	map[1][1] = 1; // NORACE
	map[3][1] = 1; // NORACE
	bitmap_free(map[0]); // NORACE
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.write = demo_write,
	.read = demo_read,
	.flush = demo_flush,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
