/* NFC: see lockpair/linux.h. */
#ifndef LOCKPAIR_NFC_H
#define LOCKPAIR_NFC_H
#include <lockpair/linux.h>

/* --- the core ------------------------------------------------------------------------------- */

typedef void (*data_exchange_cb_t)(void *context, struct sk_buff *skb, int error);
typedef void (*se_io_cb_t)(void *context, u8 *answer, size_t length, int error);
struct nfc_target { u32 idx, supported_protocols; u8 hci_reader_gate; };
struct nfc_dev;
struct nfc_ops {
	int (*dev_up)(struct nfc_dev *dev);
	int (*dev_down)(struct nfc_dev *dev);
	int (*start_poll)(struct nfc_dev *dev, u32 im_protocols, u32 tm_protocols);
	void (*stop_poll)(struct nfc_dev *dev);
	int (*im_transceive)(struct nfc_dev *dev, struct nfc_target *target, struct sk_buff *skb,
			     data_exchange_cb_t cb, void *context);
	int (*tm_send)(struct nfc_dev *dev, struct sk_buff *skb);
	int (*se_io)(struct nfc_dev *dev, u32 index, u8 *apdu, size_t length, se_io_cb_t cb, void *context);
};
struct nfc_vendor_cmd { u32 vendor_id, subcmd; int (*doit)(struct nfc_dev *dev, void *data, size_t length); };
struct nfc_dev {
	struct device dev;
	bool dev_up, fw_download_in_progress, polling;
	u8 rf_mode;
	const struct nfc_vendor_cmd *vendor_cmds;
	int n_vendor_cmds;
	struct nfc_target *targets;
	int n_targets;
	const struct nfc_ops *ops;
};
struct nfc_dev *nfc_allocate_device(const struct nfc_ops *ops, u32 protocols, int headroom, int tailroom);
int nfc_register_device(struct nfc_dev *dev);
void nfc_unregister_device(struct nfc_dev *dev);
int nfc_targets_found(struct nfc_dev *dev, struct nfc_target *targets, int count);
int nfc_tm_data_received(struct nfc_dev *dev, struct sk_buff *skb);
u8 *nfc_get_local_general_bytes(struct nfc_dev *dev, u8 *out, size_t max, size_t *length);
static inline void nfc_set_drvdata(struct nfc_dev *dev, void *data) { dev->dev.driver_data = data; }
static inline void *nfc_get_drvdata(const struct nfc_dev *dev) { return dev->dev.driver_data; }

/* --- HCI ------------------------------------------------------------------------------------ */

struct nfc_hci_dev;
struct nfc_hci_ops {
	int (*open)(struct nfc_hci_dev *hdev);
	void (*close)(struct nfc_hci_dev *hdev);
	int (*xmit)(struct nfc_hci_dev *hdev, struct sk_buff *skb);
	int (*start_poll)(struct nfc_hci_dev *hdev, u32 im_protocols, u32 tm_protocols);
	int (*complete_target_discovered)(struct nfc_hci_dev *hdev, u8 gate, struct nfc_target *target);
	int (*im_transceive)(struct nfc_hci_dev *hdev, struct nfc_target *target, struct sk_buff *skb,
			     data_exchange_cb_t cb, void *context);
	int (*event_received)(struct nfc_hci_dev *hdev, u8 pipe, u8 event, struct sk_buff *skb);
	void (*cmd_received)(struct nfc_hci_dev *hdev, u8 pipe, u8 cmd, struct sk_buff *skb);
	int (*se_io)(struct nfc_hci_dev *hdev, u32 index, u8 *apdu, size_t length, se_io_cb_t cb, void *context);
};
struct nfc_hci_init_data { u8 gate_count; char session_id[9]; };
struct nfc_hci_pipe { u8 gate, dest_host; };
struct nfc_hci_dev {
	struct nfc_dev *ndev;
	const struct nfc_hci_ops *ops;
	void *clientdata;
	size_t gb_len;
	u8 sw_romlib, sw_patch;
	u8 gate2pipe[256];
	struct nfc_hci_pipe pipes[128];
};
struct nfc_hci_dev *nfc_hci_allocate_device(const struct nfc_hci_ops *ops, struct nfc_hci_init_data *data,
					    unsigned long quirks, u32 protocols, const char *llc, int headroom,
					    int tailroom, int payload);
void nfc_hci_free_device(struct nfc_hci_dev *hdev);
int nfc_hci_register_device(struct nfc_hci_dev *hdev);
void nfc_hci_unregister_device(struct nfc_hci_dev *hdev);
void nfc_hci_set_clientdata(struct nfc_hci_dev *hdev, void *data);
void *nfc_hci_get_clientdata(struct nfc_hci_dev *hdev);
void nfc_hci_recv_frame(struct nfc_hci_dev *hdev, struct sk_buff *skb);
int nfc_hci_send_event(struct nfc_hci_dev *hdev, u8 gate, u8 event, const u8 *param, size_t length);
int nfc_hci_send_cmd(struct nfc_hci_dev *hdev, u8 gate, u8 cmd, const u8 *param, size_t length, struct sk_buff **skb);
int nfc_hci_send_cmd_async(struct nfc_hci_dev *hdev, u8 gate, u8 cmd, const u8 *param, size_t length,
			   data_exchange_cb_t cb, void *context);
int nfc_hci_get_param(struct nfc_hci_dev *hdev, u8 gate, u8 index, struct sk_buff **skb);
int nfc_hci_connect_gate(struct nfc_hci_dev *hdev, u8 host, u8 gate, u8 pipe);

/* --- NCI ------------------------------------------------------------------------------------ */

struct nci_hci_gate { u8 gate, pipe, dest_host; };
struct nci_hci_init_data { u8 gate_count; struct nci_hci_gate gates[50]; char session_id[9]; };
struct nci_hci_dev {
	struct nci_hci_init_data init_data;
	struct nfc_hci_pipe pipes[128];
	u8 gate2pipe[256];
	int expected_pipes, count_pipes;
};
struct nci_dev;
struct nci_driver_ops {
	u16 opcode;
	int (*rsp)(struct nci_dev *ndev, struct sk_buff *skb);
	int (*ntf)(struct nci_dev *ndev, struct sk_buff *skb);
};
struct nci_ops {
	int (*init)(struct nci_dev *ndev);
	int (*open)(struct nci_dev *ndev);
	int (*close)(struct nci_dev *ndev);
	int (*send)(struct nci_dev *ndev, struct sk_buff *skb);
	int (*setup)(struct nci_dev *ndev);
	int (*post_setup)(struct nci_dev *ndev);
	int (*fw_download)(struct nci_dev *ndev, const char *name);
	u32 (*get_rfprotocol)(struct nci_dev *ndev, u8 protocol);
	int (*discover_se)(struct nci_dev *ndev);
	int (*se_io)(struct nci_dev *ndev, u32 index, u8 *apdu, size_t length, se_io_cb_t cb, void *context);
	int (*hci_load_session)(struct nci_dev *ndev);
	void (*hci_event_received)(struct nci_dev *ndev, u8 pipe, u8 event, struct sk_buff *skb);
	void (*hci_cmd_received)(struct nci_dev *ndev, u8 pipe, u8 cmd, struct sk_buff *skb);
	int (*enable_se)(struct nci_dev *ndev, u32 index);
	int (*disable_se)(struct nci_dev *ndev, u32 index);
	const struct nci_driver_ops *prop_ops;
	size_t n_prop_ops;
};
struct nci_dev {
	struct nfc_dev *nfc_dev;
	const struct nci_ops *ops;
	struct nci_hci_dev *hci_dev;
	struct mutex req_lock;
	void *driver_data;
	u8 nci_ver, remote_gb_len;
};
struct nci_dev *nci_allocate_device(const struct nci_ops *ops, u32 protocols, int headroom, int tailroom);
void nci_free_device(struct nci_dev *ndev);
int nci_register_device(struct nci_dev *ndev);
void nci_unregister_device(struct nci_dev *ndev);
int nci_recv_frame(struct nci_dev *ndev, struct sk_buff *skb);
int nci_send_frame(struct nci_dev *ndev, struct sk_buff *skb);
int nci_hci_dev_session_init(struct nci_dev *ndev);
int nci_set_config(struct nci_dev *ndev, u8 id, size_t length, const u8 *value);
static inline void nci_set_drvdata(struct nci_dev *ndev, void *data) { ndev->driver_data = data; }
static inline void *nci_get_drvdata(struct nci_dev *ndev) { return ndev->driver_data; }

struct nci_uart;
struct nci_uart_ops {
	int (*open)(struct nci_uart *nu);
	void (*close)(struct nci_uart *nu);
	int (*recv)(struct nci_uart *nu, struct sk_buff *skb);
	int (*send)(struct nci_uart *nu, struct sk_buff *skb);
	void (*tx_start)(struct nci_uart *nu);
	void (*tx_done)(struct nci_uart *nu);
};
struct nci_uart { struct nci_uart_ops ops; spinlock_t rx_lock; int baudrate, received; };
int nci_uart_register(struct nci_uart *nu);

/* --- digital controllers -------------------------------------------------------------------- */

struct nfc_digital_dev;
typedef void (*nfc_digital_cmd_complete_t)(struct nfc_digital_dev *ddev, void *arg, struct sk_buff *answer);
struct nfc_digital_ops {
	int (*in_configure_hw)(struct nfc_digital_dev *ddev, int type, int param);
	int (*in_send_cmd)(struct nfc_digital_dev *ddev, struct sk_buff *skb, u16 timeout,
			   nfc_digital_cmd_complete_t cb, void *arg);
	int (*tg_listen)(struct nfc_digital_dev *ddev, u16 timeout, nfc_digital_cmd_complete_t cb, void *arg);
	int (*tg_get_rf_tech)(struct nfc_digital_dev *ddev, u8 *technology);
	int (*switch_rf)(struct nfc_digital_dev *ddev, bool on);
	void (*abort_cmd)(struct nfc_digital_dev *ddev);
};
struct nfc_digital_dev { struct nfc_dev *nfc_dev; const struct nfc_digital_ops *ops; void *driver_data; u8 curr_protocol, curr_rf_tech; };
struct nfc_digital_dev *nfc_digital_allocate_device(const struct nfc_digital_ops *ops, u32 protocols, u32 capabilities,
						    int headroom, int tailroom);
void nfc_digital_free_device(struct nfc_digital_dev *ddev);
int nfc_digital_register_device(struct nfc_digital_dev *ddev);
void nfc_digital_unregister_device(struct nfc_digital_dev *ddev);
static inline void nfc_digital_set_drvdata(struct nfc_digital_dev *ddev, void *data) { ddev->driver_data = data; }
static inline void *nfc_digital_get_drvdata(struct nfc_digital_dev *ddev) { return ddev->driver_data; }

#endif
