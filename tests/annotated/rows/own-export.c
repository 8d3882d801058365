/* A core defines and exports a function of which there is a row for its users: within the core its own code counts. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>

struct nci_dev { int req_status, req_result; };
static DEFINE_MUTEX(lock);
static struct nci_dev dev;
static int calls;

void nci_req_complete(struct nci_dev *ndev, int result)
{
	ndev->req_result = result; // RACE!
	ndev->req_status = 1; // RACE!
}
EXPORT_SYMBOL(nci_req_complete);

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	nci_req_complete(&dev, 1);
	return n;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	calls++; // NORACE
	mutex_unlock(&lock);
	nci_req_complete(&dev, 2);
	return n;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
