/* Messages to other processors and systems: what is sent is read, what comes back is written. */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

/* a trusted environment */
struct tee_context { void *data; };
struct tee_shm { void *kaddr; size_t size; };
struct tee_param { u64 attr, a, b, c; };
struct tee_ioctl_version_data { u32 impl_id, impl_caps, gen_caps; };
struct tee_ioctl_open_session_arg { u8 uuid[16]; u32 session, ret, num_params; };
struct tee_ioctl_invoke_arg { u32 func, session, ret, num_params; };
struct tee_context *tee_client_open_context(struct tee_context *start,
					    int (*match)(struct tee_ioctl_version_data *version, const void *data),
					    const void *data, struct tee_ioctl_version_data *version);
void tee_client_close_context(struct tee_context *context);
int tee_client_open_session(struct tee_context *context, struct tee_ioctl_open_session_arg *arg, struct tee_param *param);
int tee_client_invoke_func(struct tee_context *context, struct tee_ioctl_invoke_arg *arg, struct tee_param *param);
struct tee_shm *tee_shm_alloc_kernel_buf(struct tee_context *context, size_t size);
void *tee_shm_get_va(struct tee_shm *shm, size_t offset);
void tee_shm_free(struct tee_shm *shm);

/* IPMI */
struct ipmi_user;
struct ipmi_addr { int type; short channel; char data[32]; };
struct kernel_ipmi_msg { unsigned char netfn, cmd; unsigned short data_len; unsigned char *data; };
struct ipmi_recv_msg { struct ipmi_user *user; void *user_msg_data; void (*done)(struct ipmi_recv_msg *msg); };
struct ipmi_user_hndl { void (*ipmi_recv_hndl)(struct ipmi_recv_msg *msg, void *data); };
struct ipmi_smi_watcher { struct list_head link; void (*new_smi)(int number, struct device *dev); };
int ipmi_create_user(unsigned int number, const struct ipmi_user_hndl *handler, void *data, struct ipmi_user **user);
int ipmi_validate_addr(struct ipmi_addr *addr, int length);
int ipmi_request_settime(struct ipmi_user *user, struct ipmi_addr *addr, long id, struct kernel_ipmi_msg *msg, void *data,
			 int priority, int retries, unsigned int retry_time);
void ipmi_free_recv_msg(struct ipmi_recv_msg *msg);
int ipmi_smi_watcher_register(struct ipmi_smi_watcher *watcher);
int ipmi_smi_watcher_unregister(struct ipmi_smi_watcher *watcher);

/* serial lines, HID */
struct serdev_device { struct device dev; };
struct serdev_device_driver {
	struct device_driver driver;
	int (*probe)(struct serdev_device *serdev);
	void (*remove)(struct serdev_device *serdev);
};
int __serdev_device_driver_register(struct serdev_device_driver *driver, struct module *owner);
int serdev_device_open(struct serdev_device *serdev);
int serdev_device_write(struct serdev_device *serdev, const unsigned char *buf, size_t count, long timeout);
struct hid_device { struct device dev; };
struct hid_driver { char *name; int (*probe)(struct hid_device *hdev, const void *id); };
int __hid_register_driver(struct hid_driver *driver, struct module *owner, const char *name);
void hid_unregister_driver(struct hid_driver *driver);
int hid_hw_open(struct hid_device *hdev);
int hid_hw_output_report(struct hid_device *hdev, u8 *buf, size_t n);
int hid_hw_raw_request(struct hid_device *hdev, unsigned char report, u8 *buf, size_t n, int type, int request);

static DEFINE_MUTEX(lock);
static struct tee_context *context;
static struct tee_ioctl_invoke_arg invoke;
static struct tee_ioctl_open_session_arg session;
static struct tee_param params[4];
static int seen, answers, watched, plain, guarded;
static u8 line[8], report[8], asked[8], payload[8];
static struct ipmi_addr address;
static struct kernel_ipmi_msg message = { .data = payload };
static struct ipmi_user *user;

static int demo_match(struct tee_ioctl_version_data *version, const void *data)
{
	seen++; // RACE!
	return version->impl_id == 1; // NORACE
}

static ssize_t call_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct tee_ioctl_invoke_arg own = { .func = 1 };
	struct tee_param param[4] = { { .attr = 1 } };
	struct tee_context *mine = tee_client_open_context(NULL, demo_match, NULL, NULL);
	struct tee_shm *shm = tee_shm_alloc_kernel_buf(context, 64); // NORACE
	int error;

	shm->size++; // NORACE
	tee_shm_get_va(shm, 0); // NORACE
	tee_shm_free(shm); // NORACE
	error = tee_client_invoke_func(context, &own, param); // NORACE
	mutex_lock(&lock);
	guarded++; // NORACE
	invoke.func = 2; // RACE!
	mutex_unlock(&lock);
	error |= tee_client_invoke_func(context, &invoke, param); // RACE!
	error |= tee_client_open_session(context, &session, params); // RACE!
	tee_client_close_context(mine); // RACE!
	return error + own.ret; // NORACE
}
static DEVICE_ATTR_RO(call);

static void demo_received(struct ipmi_recv_msg *msg, void *data)
{
	answers++; // RACE!
	ipmi_free_recv_msg(msg); // RACE: whose message it is, is not known
}
static const struct ipmi_user_hndl demo_handler = { .ipmi_recv_hndl = demo_received };

static void demo_new_smi(int number, struct device *dev)
{
	watched++; // NORACE
}
static struct ipmi_smi_watcher demo_watcher = { .new_smi = demo_new_smi };

static ssize_t ask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct kernel_ipmi_msg own = { .netfn = 6, .data = payload };

	if (ipmi_validate_addr(&address, sizeof(address))) // RACE!
		return -EINVAL;
	ipmi_create_user(0, &demo_handler, NULL, &user); // RACE!
	ipmi_request_settime(NULL, &address, 1, &own, NULL, 0, 0, 0); // RACE!
	return ipmi_request_settime(NULL, &address, 1, &message, NULL, 0, 0, 0); // RACE!
}

static ssize_t ask_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	mutex_lock(&lock);
	address.channel = buf[0]; // RACE!
	message.cmd = buf[1]; // RACE!
	payload[0] = buf[2]; // RACE!
	line[0] = buf[3]; // RACE!
	mutex_unlock(&lock);
	return count;
}
static DEVICE_ATTR_RW(ask);

static int demo_serial_probe(struct serdev_device *serdev)
{
	u8 own[4] = { 1, 2, 3, 4 };

	if (serdev_device_open(serdev)) // NORACE
		return -EIO;
	serdev_device_write(serdev, own, sizeof(own), 0); // NORACE
	serdev_device_write(serdev, line, sizeof(line), 0); // RACE!
	device_create_file(&serdev->dev, &dev_attr_ask);
	return device_create_file(&serdev->dev, &dev_attr_call);
}

static void demo_serial_remove(struct serdev_device *serdev)
{
	plain++; // RACE!
}
static struct serdev_device_driver demo_serial = { .probe = demo_serial_probe, .remove = demo_serial_remove };

static int demo_hid_probe(struct hid_device *hdev, const void *id)
{
	u8 own[4] = { 0, 0, 0, 0 };

	if (hid_hw_open(hdev)) // NORACE
		return -EIO;
	hid_hw_output_report(hdev, own, sizeof(own)); // NORACE
	hid_hw_raw_request(hdev, 1, own, sizeof(own), 0, 1); // NORACE
	hid_hw_output_report(hdev, report, sizeof(report)); // NORACE
	return hid_hw_raw_request(hdev, 1, asked, sizeof(asked), 0, 1); // RACE!
}
static struct hid_driver demo_hid = { .name = "demo", .probe = demo_hid_probe };

static int __init demo_init(void)
{
	ipmi_smi_watcher_register(&demo_watcher); // NORACE
	__hid_register_driver(&demo_hid, THIS_MODULE, "demo");
	return __serdev_device_driver_register(&demo_serial, THIS_MODULE);
}

static void __exit demo_exit(void)
{
	hid_unregister_driver(&demo_hid);
	ipmi_smi_watcher_unregister(&demo_watcher); // NORACE
}
module_init(demo_init);
module_exit(demo_exit);
