// verdict: potential
/* Resetting a USB device changes its number, its state and what setting its interfaces have; changing a setting changes where its
   endpoints are, which usb_maxpacket looks up. As drivers/usb/serial/garmin_gps.c:839 beside 1004, drivers/usb/misc/usbtest.c:699
   beside 346. (Stub: lockpair/usb-tty.h needs state, speed, ep_in and ep_out in struct usb_device.) */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct usb_host_endpoint { u16 size; };
struct usb_interface { void *cur_altsetting; };
struct usb_host_config { struct usb_interface *interface[32]; };
struct usb_device {
	int devnum, state, speed;
	struct usb_host_config *actconfig;
	struct usb_host_endpoint *ep_in[16], *ep_out[16];
};
int usb_set_interface(struct usb_device *dev, int interface, int setting);
int usb_reset_device(struct usb_device *dev);
int usb_reset_configuration(struct usb_device *dev);

static struct usb_host_endpoint endpoint;
static struct usb_interface interface, interface2, interface3;
static struct usb_host_config config = { .interface[0] = &interface }, config2 = { .interface[0] = &interface2 }, config3 = { .interface[0] = &interface3 };
static struct usb_device set = { .actconfig = &config, .ep_in[1] = &endpoint };
static struct usb_device again = { .actconfig = &config2 }, other = { .actconfig = &config3 };
static DEFINE_MUTEX(setting);
static DEFINE_MUTEX(lock);

void demo_set(void)
{
	mutex_lock(&setting);
	usb_set_interface(&set, 0, 1); // RACE!
	usb_reset_configuration(&again); // RACE!
	mutex_unlock(&setting);
}
EXPORT_SYMBOL(demo_set);

void demo_reset(void)
{
	mutex_lock(&setting);
	usb_reset_device(&again); // RACE!
	mutex_lock(&lock);
	usb_reset_device(&other); // RACE: which interface is its own is not followed
	mutex_unlock(&lock);
	mutex_unlock(&setting);
}
EXPORT_SYMBOL(demo_reset);

int demo_size(void)
{
	return set.ep_in[1] ? set.ep_in[1]->size : 0; // RACE!
}
EXPORT_SYMBOL(demo_size);

unsigned int demo_pipe(void)
{
	unsigned int other_pipe;

	mutex_lock(&lock);
	other_pipe = other.devnum << 8; // NORACE
	mutex_unlock(&lock);
	return other_pipe | again.devnum << 8; // RACE!
}
EXPORT_SYMBOL(demo_pipe);

bool demo_gone(void)
{
	return !again.state; // RACE!
}
EXPORT_SYMBOL(demo_gone);

void *demo_setting(void)
{
	return interface2.cur_altsetting; // RACE!
}
EXPORT_SYMBOL(demo_setting);
MODULE_LICENSE("GPL");
