/* USB, USB serial ports and terminals: see lockpair/linux.h. */
#ifndef LOCKPAIR_USB_TTY_H
#define LOCKPAIR_USB_TTY_H
#include <lockpair/linux.h>

/* --- terminals ------------------------------------------------------------------------------ */

struct ktermios { unsigned int c_iflag, c_oflag, c_cflag, c_lflag; unsigned char c_line; unsigned int c_ispeed, c_ospeed; };
struct tty_struct;
struct tty_port;
struct tty_driver;
struct tty_port_operations {
	int (*carrier_raised)(struct tty_port *port);
	void (*dtr_rts)(struct tty_port *port, int raise);
	void (*shutdown)(struct tty_port *port);
	int (*activate)(struct tty_port *port, struct tty_struct *tty);
};
struct tty_buffer { int used, size; };
struct tty_bufhead { struct tty_buffer *head, *tail; };
struct tty_port {
	struct tty_bufhead buf;
	struct tty_struct *tty;
	const struct tty_port_operations *ops;
	spinlock_t lock;
	struct mutex mutex;
	int count, blocked_open;
	unsigned long iflags;
	unsigned int close_delay, closing_wait;
	int drain_delay;
};
struct serial_struct;
struct serial_icounter_struct;
struct tty_operations {
	int (*install)(struct tty_driver *driver, struct tty_struct *tty);
	int (*open)(struct tty_struct *tty, struct file *file);
	void (*close)(struct tty_struct *tty, struct file *file);
	int (*write)(struct tty_struct *tty, const unsigned char *buf, int count);
	void (*set_termios)(struct tty_struct *tty, struct ktermios *old);
	int (*ioctl)(struct tty_struct *tty, unsigned int cmd, unsigned long arg);
	void (*send_xchar)(struct tty_struct *tty, char c);
	int (*get_icount)(struct tty_struct *tty, struct serial_icounter_struct *count);
	int (*get_serial)(struct tty_struct *tty, struct serial_struct *serial);
	void (*hangup)(struct tty_struct *tty);
	void (*cleanup)(struct tty_struct *tty);
	int (*write_room)(struct tty_struct *tty);
	void (*throttle)(struct tty_struct *tty);
	void (*unthrottle)(struct tty_struct *tty);
	void (*stop)(struct tty_struct *tty);
	int (*proc_show)(struct seq_file *seq, void *driver);
};
struct tty_struct {
	struct mutex legacy_mutex;
	struct tty_driver *driver;
	const struct tty_operations *ops;
	struct rw_semaphore termios_rwsem;
	struct ktermios termios;
	struct tty_port *port;
	int count, closing;
	unsigned long flags;
	struct { spinlock_t lock; bool stopped, tco_stopped; } flow;
	void *driver_data;
};
struct tty_driver { const struct tty_operations *ops; int major, minor_start; };
struct tty_ldisc_ops {
	char *name;
	int num;
	void (*write_wakeup)(struct tty_struct *tty);
	void (*dcd_change)(struct tty_struct *tty, bool active);
};
struct tty_ldisc { struct tty_ldisc_ops *ops; struct tty_struct *tty; };
struct tty_ldisc *tty_ldisc_ref(struct tty_struct *tty);
void tty_ldisc_deref(struct tty_ldisc *ld);
int tty_register_driver(struct tty_driver *driver);
void tty_lock(struct tty_struct *tty);
int tty_lock_interruptible(struct tty_struct *tty);
void tty_unlock(struct tty_struct *tty);
int tty_insert_flip_string_fixed_flag(struct tty_port *port, const unsigned char *chars, char flag, size_t size);
void tty_flip_buffer_push(struct tty_port *port);
struct tty_struct *tty_port_tty_get(struct tty_port *port);
void tty_port_tty_hangup(struct tty_port *port, bool check_clocal);
void tty_kref_put(struct tty_struct *tty);
unsigned int tty_termios_baud_rate(const struct ktermios *termios);
void tty_encode_baud_rate(struct tty_struct *tty, unsigned int input, unsigned int output);
void tty_termios_copy_hw(struct ktermios *to, const struct ktermios *from);

/* --- USB ------------------------------------------------------------------------------------ */

struct usb_interface { struct device dev; int minor, num_altsetting; void *cur_altsetting; };
struct usb_host_config { struct usb_interface *interface[2]; };
struct usb_host_endpoint;
struct usb_device { int devnum; struct device dev; struct usb_host_config *actconfig; int state, speed; struct usb_host_endpoint *ep_in[16], *ep_out[16]; };
int usb_set_interface(struct usb_device *dev, int interface, int setting);
struct usb_device_id { u16 idVendor, idProduct; kernel_ulong_t driver_info; };
struct usb_driver {
	const char *name;
	int (*probe)(struct usb_interface *intf, const struct usb_device_id *id);
	void (*disconnect)(struct usb_interface *intf);
	int (*suspend)(struct usb_interface *intf, int message);
	int (*resume)(struct usb_interface *intf);
	const struct usb_device_id *id_table;
};
struct urb;
typedef void (*usb_complete_t)(struct urb *urb);
struct urb {
	struct usb_device *dev;
	unsigned int pipe;
	int status;
	unsigned int transfer_flags;
	void *transfer_buffer;
	u32 transfer_buffer_length, actual_length;
	void *context;
	usb_complete_t complete;
};
int usb_register_driver(struct usb_driver *driver, struct module *owner, const char *name);
void usb_deregister(struct usb_driver *driver);
#define usb_register(driver) usb_register_driver(driver, THIS_MODULE, "demo")
#define module_usb_driver(driver) module_driver(driver, usb_register, usb_deregister)
static inline void usb_set_intfdata(struct usb_interface *intf, void *data) { intf->dev.driver_data = data; }
static inline void *usb_get_intfdata(struct usb_interface *intf) { return intf->dev.driver_data; }
static inline void usb_fill_int_urb(struct urb *urb, struct usb_device *dev, unsigned int pipe, void *buffer,
				    int length, usb_complete_t complete, void *context)
{
	urb->dev = dev;
	urb->pipe = pipe;
	urb->transfer_buffer = buffer;
	urb->transfer_buffer_length = length;
	urb->complete = complete;
	urb->context = context;
}
struct urb *usb_alloc_urb(int packets, gfp_t flags);
void usb_free_urb(struct urb *urb);
int usb_submit_urb(struct urb *urb, gfp_t flags);
void usb_kill_urb(struct urb *urb);
int usb_unlink_urb(struct urb *urb);
int usb_bulk_msg(struct usb_device *dev, unsigned int pipe, void *data, int n, int *actual, int timeout);
int usb_control_msg_send(struct usb_device *dev, u8 endpoint, u8 request, u8 type, u16 value, u16 index,
			 const void *data, u16 n, int timeout, gfp_t flags);
int usb_lock_device_for_reset(struct usb_device *dev, const struct usb_interface *interface);
#define usb_lock_device(udev) device_lock(&(udev)->dev)
#define usb_unlock_device(udev) device_unlock(&(udev)->dev)

struct usb_serial { struct usb_device *dev; struct usb_interface *interface, *sibling; struct usb_serial_driver *type; void *private; };
struct usb_serial_endpoints;
struct async_icount { unsigned int cts, dsr, rng, dcd, tx, rx, frame, parity, overrun, brk, buf_overrun; };
struct usb_serial_port {
	struct usb_serial *serial;
	unsigned int minor;
	struct async_icount icount;
	struct tty_port port;
	spinlock_t lock;
	int bulk_in_size, bulk_out_size;
	unsigned long read_urbs_free, write_urbs_free, flags;
	int tx_bytes;
	struct urb *read_urb, *read_urbs[2], *write_urb, *write_urbs[2], *interrupt_in_urb, *interrupt_out_urb;
	unsigned char *bulk_in_buffer, *bulk_in_buffers[2], *bulk_out_buffer, *bulk_out_buffers[2];
	unsigned char *interrupt_in_buffer, *interrupt_out_buffer;
	struct { unsigned int in, out, mask, esize; void *data; unsigned char buf[0]; } write_fifo;
	struct device dev;
};
struct usb_serial_driver {
	const char *description;
	struct device_driver driver;
	int (*probe)(struct usb_serial *serial, const struct usb_device_id *id);
	int (*calc_num_ports)(struct usb_serial *serial, struct usb_serial_endpoints *endpoints);
	int (*attach)(struct usb_serial *serial);
	void (*disconnect)(struct usb_serial *serial);
	void (*release)(struct usb_serial *serial);
	int (*resume)(struct usb_serial *serial);
	int (*port_probe)(struct usb_serial_port *port);
	void (*port_remove)(struct usb_serial_port *port);
	int (*open)(struct tty_struct *tty, struct usb_serial_port *port);
	void (*close)(struct usb_serial_port *port);
	int (*write)(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *buf, int count);
	void (*set_termios)(struct tty_struct *tty, struct usb_serial_port *port, const struct ktermios *old);
	int (*tiocmget)(struct tty_struct *tty);
	int (*tiocmset)(struct tty_struct *tty, unsigned int set, unsigned int clear);
	int (*get_serial)(struct tty_struct *tty, struct serial_struct *serial);
	int (*tiocmiwait)(struct tty_struct *tty, unsigned long arg);
	int (*get_icount)(struct tty_struct *tty, struct serial_icounter_struct *count);
	void (*dtr_rts)(struct usb_serial_port *port, int on);
	int (*carrier_raised)(struct usb_serial_port *port);
	bool (*tx_empty)(struct usb_serial_port *port);
	int (*chars_in_buffer)(struct tty_struct *tty);
	int (*prepare_write_buffer)(struct usb_serial_port *port, void *dest, size_t size);
	void (*read_bulk_callback)(struct urb *urb);
	void (*write_bulk_callback)(struct urb *urb);
	void (*read_int_callback)(struct urb *urb);
	void (*write_int_callback)(struct urb *urb);
	void (*init_termios)(struct tty_struct *tty);
	void (*process_read_urb)(struct urb *urb);
	void (*throttle)(struct tty_struct *tty);
	void (*unthrottle)(struct tty_struct *tty);
};
static inline void usb_set_serial_data(struct usb_serial *serial, void *data) { serial->private = data; }
static inline void *usb_get_serial_data(struct usb_serial *serial) { return serial->private; }
int usb_serial_generic_open(struct tty_struct *tty, struct usb_serial_port *port);
void usb_serial_handle_dcd_change(struct usb_serial_port *port, struct tty_struct *tty, unsigned int status);
void usb_serial_generic_close(struct usb_serial_port *port);
int usb_serial_register_drivers(struct usb_serial_driver *const drivers[], const char *name,
				const struct usb_device_id *ids);
void usb_serial_deregister_drivers(struct usb_serial_driver *const drivers[]);
static inline void usb_set_serial_port_data(struct usb_serial_port *port, void *data) { port->dev.driver_data = data; }
static inline void *usb_get_serial_port_data(struct usb_serial_port *port) { return port->dev.driver_data; }

#endif
