/* Serial ports: the members that these inputs use. Not Linux. */
#pragma once
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>
#include <linux/tty.h>

struct console { char name[16]; short flags, index; int cflag; unsigned int ispeed, ospeed; int (*setup)(struct console *co, char *options); void *data; struct uart_port *port; };
struct circ_buf { char *buf; int head, tail; };
struct uart_port;
struct serial_struct { int irq; };
struct uart_icount { u32 cts, dsr, rng, dcd, rx, tx; };
struct serial_rs485 { u32 flags, delay; };
struct serial_iso7816 { u32 flags; };
struct uart_state { struct tty_port port; int pm_state; struct circ_buf xmit; struct uart_port *uart_port; };
struct uart_driver { const char *driver_name, *dev_name; int nr; struct console *cons; struct uart_state *state; void *tty_driver; };
struct uart_ops {
	unsigned int (*tx_empty)(struct uart_port *port);
	void (*set_mctrl)(struct uart_port *port, unsigned int mctrl);
	unsigned int (*get_mctrl)(struct uart_port *port);
	void (*stop_tx)(struct uart_port *port);
	void (*start_tx)(struct uart_port *port);
	void (*throttle)(struct uart_port *port);
	void (*unthrottle)(struct uart_port *port);
	void (*send_xchar)(struct uart_port *port, char ch);
	void (*stop_rx)(struct uart_port *port);
	void (*start_rx)(struct uart_port *port);
	void (*enable_ms)(struct uart_port *port);
	void (*break_ctl)(struct uart_port *port, int ctl);
	int (*startup)(struct uart_port *port);
	void (*shutdown)(struct uart_port *port);
	void (*flush_buffer)(struct uart_port *port);
	void (*set_termios)(struct uart_port *port, struct ktermios *new, const struct ktermios *old);
	void (*set_ldisc)(struct uart_port *port, struct ktermios *termios);
	void (*pm)(struct uart_port *port, unsigned int state, unsigned int oldstate);
	const char *(*type)(struct uart_port *port);
	void (*release_port)(struct uart_port *port);
	int (*request_port)(struct uart_port *port);
	void (*config_port)(struct uart_port *port, int flags);
	int (*verify_port)(struct uart_port *port, struct serial_struct *info);
	int (*ioctl)(struct uart_port *port, unsigned int cmd, unsigned long arg);
	int (*poll_init)(struct uart_port *port);
	void (*poll_put_char)(struct uart_port *port, unsigned char ch);
	int (*poll_get_char)(struct uart_port *port);
};
struct uart_port {
	spinlock_t lock;
	unsigned long iobase;
	void *membase;
	unsigned int (*serial_in)(struct uart_port *port, int offset);
	void (*serial_out)(struct uart_port *port, int offset, int value);
	void (*set_termios)(struct uart_port *port, struct ktermios *new, const struct ktermios *old);
	void (*set_ldisc)(struct uart_port *port, struct ktermios *termios);
	unsigned int (*get_mctrl)(struct uart_port *port);
	void (*set_mctrl)(struct uart_port *port, unsigned int mctrl);
	unsigned int (*get_divisor)(struct uart_port *port, unsigned int baud, unsigned int *frac);
	void (*set_divisor)(struct uart_port *port, unsigned int baud, unsigned int quot, unsigned int frac);
	int (*startup)(struct uart_port *port);
	void (*shutdown)(struct uart_port *port);
	void (*throttle)(struct uart_port *port);
	void (*unthrottle)(struct uart_port *port);
	int (*handle_irq)(struct uart_port *port);
	void (*pm)(struct uart_port *port, unsigned int state, unsigned int old);
	void (*handle_break)(struct uart_port *port);
	int (*rs485_config)(struct uart_port *port, struct ktermios *termios, struct serial_rs485 *rs485);
	int (*iso7816_config)(struct uart_port *port, struct serial_iso7816 *iso7816);
	unsigned int irq, uartclk, fifosize, read_status_mask, ignore_status_mask, custom_divisor;
	unsigned char x_char, regshift, iotype;
	struct uart_state *state;
	struct uart_icount icount;
	struct console *cons;
	u64 flags;
	u32 status;
	int hw_stopped;
	unsigned int mctrl, frame_time, type;
	const struct uart_ops *ops;
	unsigned int line;
	struct device *dev;
	unsigned long sysrq;
	unsigned int sysrq_ch;
	unsigned char has_sysrq, sysrq_seq, hub6, suspended;
	unsigned long mapbase;
	unsigned int minor;
	const void *attr_group;
	const char *name;
	const void **tty_groups;
	struct serial_rs485 rs485, rs485_supported;
	void *rs485_term_gpio, *private_data;
};
int uart_suspend_port(struct uart_driver *drv, struct uart_port *port);
int uart_resume_port(struct uart_driver *drv, struct uart_port *port);
void uart_remove_one_port(struct uart_driver *drv, struct uart_port *port);
void uart_unregister_driver(struct uart_driver *drv);
int uart_register_driver(struct uart_driver *drv);
int uart_add_one_port(struct uart_driver *drv, struct uart_port *port);
int uart_set_options(struct uart_port *port, struct console *co, int baud, int parity, int bits, int flow);
void register_console(struct console *co);
struct uart_8250_port;
struct uart_8250_dma { int (*tx_dma)(struct uart_8250_port *p); int (*rx_dma)(struct uart_8250_port *p); void (*prepare_tx_dma)(struct uart_8250_port *p); void (*prepare_rx_dma)(struct uart_8250_port *p); unsigned int rx_size; int rx_running; };
struct mctrl_gpios;
struct uart_8250_port { struct uart_port port; u32 capabilities; unsigned short bugs; unsigned char fcr, ier, lcr, mcr; struct mctrl_gpios *gpios; struct uart_8250_dma *dma; };
int serial8250_register_8250_port(const struct uart_8250_port *up);
void serial8250_unregister_port(int line);
