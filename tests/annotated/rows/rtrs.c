/* RTRS, and other functions that keep a private pointer: what they read and write, and when they call. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct scatterlist { unsigned long page; unsigned int offset, length; };
struct kvec { void *iov_base; size_t iov_len; };
struct rtrs_addr { void *src, *dst; };
struct rtrs_attrs { u32 depth, max; };
struct rtrs_clt_sess;
struct rtrs_srv_sess;
struct rtrs_srv_ctx;
struct rtrs_clt_ops { void *priv; void (*link_ev)(void *priv, int event); };
struct rtrs_clt_req_ops { void *priv; void (*conf_fn)(void *priv, int error); };
struct rtrs_srv_ops {
	int (*rdma_ev)(void *priv, void *id, void *data, size_t n, const void *message, size_t m);
	int (*link_ev)(struct rtrs_srv_sess *sess, int event, void *priv);
};
struct rtrs_clt_sess *rtrs_clt_open(struct rtrs_clt_ops *ops, const char *name, const struct rtrs_addr *paths, size_t n, u16 port,
				    size_t size, u8 delay, s16 attempts, u32 queues);
int rtrs_clt_query(struct rtrs_clt_sess *sess, struct rtrs_attrs *attrs);
int rtrs_clt_request(int direction, struct rtrs_clt_req_ops *ops, struct rtrs_clt_sess *sess, void *permit, const struct kvec *message,
		     size_t n, size_t length, struct scatterlist *list, unsigned int m);
int rtrs_addr_to_sockaddr(const char *text, size_t n, u16 port, struct rtrs_addr *address);
struct rtrs_srv_ctx *rtrs_srv_open(struct rtrs_srv_ops *ops, u16 port);
void rtrs_srv_set_sess_priv(struct rtrs_srv_sess *sess, void *priv);
int rtrs_srv_get_path_name(struct rtrs_srv_sess *sess, char *name, size_t n);

static DEFINE_MUTEX(lock);
static struct rtrs_clt_sess *client;
static struct rtrs_attrs attrs;
static struct rtrs_clt_req_ops kept;
static char name[16], path[16], word[4];

struct session { int links, requests; };
struct answer { int before, error; };
struct served { int before, links, events; };

/* The session's mutex is held around events of its link, none around answers. */
static void demo_link(void *priv, int event)
{
	struct session *of = priv;

	of->links++; // RACE: what code outside writes into structs that this file declares may be any pointer
	of->requests++; // RACE!
}

static void demo_answer(void *priv, int error)
{
	struct answer *of = priv;
	int before = of->before; // NORACE

	of->error = error + before; // RACE!
}

static int demo_event(void *priv, void *id, void *data, size_t n, const void *message, size_t m)
{
	struct served *of = priv;

	of->events++; // RACE!
	return 0;
}

static int demo_served(struct rtrs_srv_sess *sess, int event, void *priv)
{
	struct served *made = kzalloc(sizeof(*made), GFP_KERNEL);
	struct served *of = priv;
	char own[16];

	if (of) {
		of->links++; // RACE: two sessions may have one private pointer
		return 0;
	}
	if (!made)
		return -ENOMEM;
	made->before = 1; // NORACE
	rtrs_srv_get_path_name(sess, own, sizeof(own)); // NORACE
	rtrs_srv_get_path_name(sess, path, sizeof(path)); // RACE!
	rtrs_srv_set_sess_priv(sess, made);
	made->events = own[0]; // RACE!
	return 0;
}

static ssize_t client_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct session *own = kzalloc(sizeof(*own), GFP_KERNEL);
	struct rtrs_clt_ops ops = { .link_ev = demo_link };
	struct rtrs_addr address = { 0 };
	struct rtrs_attrs asked = { 0 };
	struct rtrs_clt_sess *made;

	if (!own)
		return -ENOMEM;
	ops.priv = own;
	own->links = 1; // NORACE
	rtrs_addr_to_sockaddr(name, 16, 1, &address); // RACE!
	made = rtrs_clt_open(&ops, "demo", &address, 1, 1, 1, 1, 1, 1); // RACE: what code outside writes into structs that this file declares may be any pointer
	rtrs_clt_open(&ops, name, &address, 1, 1, 1, 1, 1, 1); // RACE!
	own->requests = 1; // RACE!
	if (IS_ERR(made))
		return -EINVAL;
	rtrs_clt_query(made, &asked); // NORACE
	return rtrs_clt_query(made, &attrs); // RACE!
}
static DEVICE_ATTR_RO(client);

static ssize_t name_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	mutex_lock(&lock);
	name[0] = buf[0]; // RACE!
	word[0] = buf[0]; // RACE!
	mutex_unlock(&lock);
	return count;
}

static ssize_t name_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct answer *own = kzalloc(sizeof(*own), GFP_KERNEL);
	struct rtrs_clt_req_ops ops = { .conf_fn = demo_answer };
	struct kvec message = { word, 4 };

	if (!own)
		return -ENOMEM;
	own->before = 1; // NORACE
	ops.priv = own;
	rtrs_clt_request(0, &ops, client, NULL, &message, 1, 4, NULL, 0); // RACE!
	own->error = 1; // RACE!
	kept.priv = NULL; // RACE!
	return rtrs_clt_request(0, &kept, client, NULL, NULL, 0, 0, NULL, 0); // RACE!
}
static DEVICE_ATTR_RW(name);

static int demo_probe(struct platform_device *pdev)
{
	struct rtrs_srv_ops ops = { .rdma_ev = demo_event, .link_ev = demo_served };

	if (IS_ERR(rtrs_srv_open(&ops, 1))) // NORACE
		return -EINVAL;
	device_create_file(&pdev->dev, &dev_attr_client);
	return device_create_file(&pdev->dev, &dev_attr_name);
}
static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
