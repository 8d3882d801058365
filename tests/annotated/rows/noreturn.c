/* What does not come back: nothing that stands behind is done. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

/* Not declared so, that only the rows say it. */
#undef panic
void panic(const char *format, ...);
void __stack_chk_fail(void);
void fortify_panic(const char *name);
void __ubsan_handle_builtin_unreachable(void *data);
void usercopy_abort(const char *name, const char *detail, bool to_user, unsigned long offset, unsigned long n);
void skb_over_panic(void *skb, unsigned int n, void *address);

static int behind;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		panic("it");
		behind++; // NORACE
		break;
	case 1:
		__stack_chk_fail();
		behind++; // NORACE
		break;
	case 2:
		fortify_panic("it");
		behind++; // NORACE
		break;
	case 3:
		__ubsan_handle_builtin_unreachable(NULL);
		behind++; // NORACE
		break;
	case 4:
		usercopy_abort("it", NULL, false, 1, 1);
		behind++; // NORACE
		break;
	case 5:
		skb_over_panic(NULL, 1, NULL);
		behind++; // NORACE
		break;
	}
	return 0;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
