/* Texts for an event: who has the event has its room; what is printed is read. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct kobj_uevent_env { char *argv[3], *envp[64]; int envp_idx; char buf[2048]; int buflen; };
int add_uevent_var(struct kobj_uevent_env *env, const char *format, ...);

static DEFINE_MUTEX(lock);
static char name[8], quiet[8];
static struct kobj_uevent_env shared, guarded;
static int kept;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct kobj_uevent_env *env = kzalloc(sizeof(*env), GFP_KERNEL);

	if (!env)
		return -ENOMEM;
	add_uevent_var(env, "A=%d", READ_ONCE(kept)); // NORACE
	add_uevent_var(env, "B=%s", "b"); // NORACE
	add_uevent_var(env, "C=%s", name); // RACE!
	add_uevent_var(env, "D=%p", quiet); // NORACE
	kfree(env);
	mutex_lock(&lock);
	add_uevent_var(&guarded, "E=%d", 1); // NORACE
	mutex_unlock(&lock);
	add_uevent_var(&shared, "F=%d", 1); // RACE!
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	guarded.buflen = 0; // NORACE
	mutex_unlock(&lock);
	WRITE_ONCE(quiet[1], 'a'); // NORACE
	WRITE_ONCE(kept, 1); // NORACE
	WRITE_ONCE(name[1], 'a'); // RACE!
	return shared.envp_idx + // RACE!
	       shared.buf[3] + // RACE!
	       shared.buflen; // RACE!
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
