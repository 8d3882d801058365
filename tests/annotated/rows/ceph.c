/* Ceph: requests and their completions, watches, calls that wait; each with memory of the caller's, locked and not. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct page;
struct bio;
struct bio_vec;
struct ceph_osd_client;
struct ceph_object_id { char *name; char inline_name[52]; int name_len; };
struct ceph_object_locator { s64 pool; void *pool_ns; };
struct ceph_snap_context { u64 seq; };
struct ceph_osd_request {
	struct ceph_osd_client *r_osdc;
	struct ceph_snap_context *r_snapc;
	void *r_request, *r_reply, *r_priv;
	int r_result, r_ops;
	void (*r_callback)(struct ceph_osd_request *request);
};
struct ceph_osd_linger_request { u64 linger_id; };
struct ceph_entity_name { u8 type; u64 num; };
struct ceph_entity_addr { u32 type, nonce; };
struct ceph_entity_inst { struct ceph_entity_name name; struct ceph_entity_addr addr; };
struct ceph_messenger { struct ceph_entity_inst inst; };
struct ceph_options { int flags, mount_timeout; };
struct ceph_client { struct ceph_options *options; void *private; struct ceph_messenger msgr; };
struct ceph_file_layout { u32 unit, count, size; };
struct ceph_file_extent { u64 off, len; };
struct ceph_bio_iter { struct bio *bio; int iter; };
struct ceph_bvec_iter { struct bio_vec *bvecs; int iter; };
struct ceph_locker { u64 id; };
struct ceph_watch_item { u64 cookie; };
struct fs_parameter { const char *key, *string; };
typedef void (*ceph_watch_fn)(void *data, u64 id, u64 cookie, u64 notifier, void *payload, size_t n);
typedef void (*ceph_error_fn)(void *data, u64 cookie, int error);
struct ceph_osd_linger_request *ceph_osdc_watch(struct ceph_osd_client *osdc, struct ceph_object_id *oid,
						struct ceph_object_locator *oloc, ceph_watch_fn watch, ceph_error_fn error, void *data);
int ceph_osdc_unwatch(struct ceph_osd_client *osdc, struct ceph_osd_linger_request *watch);
void ceph_oid_printf(struct ceph_object_id *oid, const char *format, ...);
int ceph_oid_aprintf(struct ceph_object_id *oid, gfp_t gfp, const char *format, ...);
void ceph_oid_copy(struct ceph_object_id *to, const struct ceph_object_id *from);
void ceph_oid_destroy(struct ceph_object_id *oid);
void ceph_oloc_copy(struct ceph_object_locator *to, const struct ceph_object_locator *from);
void ceph_oloc_destroy(struct ceph_object_locator *oloc);
void *ceph_find_or_create_string(const char *text, size_t n);
void ceph_release_string(struct kref *kref);
struct ceph_osd_request *ceph_osdc_alloc_request(struct ceph_osd_client *osdc, struct ceph_snap_context *snaps, unsigned int n,
						 bool pool, gfp_t gfp);
int ceph_osdc_alloc_messages(struct ceph_osd_request *request, gfp_t gfp);
int *osd_req_op_init(struct ceph_osd_request *request, unsigned int which, u16 op, u32 flags);
void osd_req_op_extent_init(struct ceph_osd_request *request, unsigned int which, u16 op, u64 offset, u64 n, u64 size, u32 seq);
void osd_req_op_extent_osd_data_pages(struct ceph_osd_request *request, unsigned int which, struct page **pages, u64 n, u32 alignment,
				      bool pool, bool own);
void osd_req_op_cls_request_data_bvecs(struct ceph_osd_request *request, unsigned int which, struct bio_vec *bvecs, u32 n, u32 bytes);
void osd_req_op_extent_osd_data_bio(struct ceph_osd_request *request, unsigned int which, struct ceph_bio_iter *at, u32 n);
void osd_req_op_extent_osd_data_bvec_pos(struct ceph_osd_request *request, unsigned int which, struct ceph_bvec_iter *at);
int osd_req_op_cls_init(struct ceph_osd_request *request, unsigned int which, const char *class, const char *method);
void ceph_osdc_start_request(struct ceph_osd_client *osdc, struct ceph_osd_request *request);
int ceph_osdc_wait_request(struct ceph_osd_client *osdc, struct ceph_osd_request *request);
void ceph_osdc_put_request(struct ceph_osd_request *request);
int ceph_osdc_call(struct ceph_osd_client *osdc, struct ceph_object_id *oid, struct ceph_object_locator *oloc, const char *class,
		   const char *method, unsigned int flags, struct page *page, size_t n, struct page **pages, size_t *m);
int ceph_osdc_notify(struct ceph_osd_client *osdc, struct ceph_object_id *oid, struct ceph_object_locator *oloc, void *payload, u32 n,
		     u32 timeout, struct page ***pages, size_t *m);
int ceph_osdc_notify_ack(struct ceph_osd_client *osdc, struct ceph_object_id *oid, struct ceph_object_locator *oloc, u64 id, u64 cookie,
			 void *payload, u32 n);
int ceph_osdc_list_watchers(struct ceph_osd_client *osdc, struct ceph_object_id *oid, struct ceph_object_locator *oloc,
			    struct ceph_watch_item **watchers, u32 *n);
int ceph_cls_lock(struct ceph_osd_client *osdc, struct ceph_object_id *oid, struct ceph_object_locator *oloc, char *name, u8 type,
		  char *cookie, char *tag, char *text, u8 flags);
int ceph_cls_unlock(struct ceph_osd_client *osdc, struct ceph_object_id *oid, struct ceph_object_locator *oloc, char *name, char *cookie);
int ceph_cls_break_lock(struct ceph_osd_client *osdc, struct ceph_object_id *oid, struct ceph_object_locator *oloc, char *name,
			char *cookie, struct ceph_entity_name *locker);
int ceph_cls_set_cookie(struct ceph_osd_client *osdc, struct ceph_object_id *oid, struct ceph_object_locator *oloc, char *name, u8 type,
			char *old, char *tag, char *new);
int ceph_cls_lock_info(struct ceph_osd_client *osdc, struct ceph_object_id *oid, struct ceph_object_locator *oloc, char *name, u8 *type,
		       char **tag, struct ceph_locker **lockers, u32 *n);
int ceph_cls_assert_locked(struct ceph_osd_request *request, int which, char *name, u8 type, char *cookie, char *tag);
void ceph_free_lockers(struct ceph_locker *lockers, u32 n);
int ceph_monc_blocklist_add(void *monitors, struct ceph_entity_addr *address);
struct ceph_options *ceph_alloc_options(void);
void ceph_destroy_options(struct ceph_options *options);
int ceph_parse_param(struct fs_parameter *parameter, struct ceph_options *options, void *log);
int ceph_parse_mon_ips(const char *text, size_t n, struct ceph_options *options, void *log, char delimiter);
int ceph_compare_options(struct ceph_options *options, struct ceph_client *client);
struct ceph_client *ceph_create_client(struct ceph_options *options, void *private);
void ceph_destroy_client(struct ceph_client *client);
struct ceph_entity_addr *ceph_client_addr(struct ceph_client *client);
int ceph_pg_poolid_by_name(void *map, const char *name);
struct ceph_snap_context *ceph_create_snap_context(u32 n, gfp_t gfp);
struct ceph_snap_context *ceph_get_snap_context(struct ceph_snap_context *snaps);
void ceph_put_snap_context(struct ceph_snap_context *snaps);
struct page **ceph_alloc_page_vector(int n, gfp_t gfp);
void ceph_release_page_vector(struct page **pages, int n);
void ceph_copy_from_page_vector(struct page **pages, void *data, loff_t offset, size_t n);
int ceph_extent_to_file(struct ceph_file_layout *layout, u64 object, u64 offset, u64 n, struct ceph_file_extent **extents, u32 *m);

static DEFINE_MUTEX(lock);
static struct ceph_osd_client *osdc;
static struct ceph_client *client;
static struct ceph_object_id oid, shown;
static struct ceph_object_locator oloc, located;
static struct ceph_file_layout layout;
static struct ceph_options options;
static struct ceph_locker *lockers;
static struct ceph_watch_item *watchers;
static struct ceph_file_extent *extents;
static struct page **pages;
static char name[8], cookie[8], *tag;
static size_t size;
static u32 count, numbers;
static u8 type;

struct image { int before, notified, errors; };
struct answer { int before, result; };

/* Completions. */
static void demo_done(struct ceph_osd_request *request)
{
	struct answer *of = request->r_priv; // RACE: who waits goes on after the completion

	int before = of->before; // NORACE

	of->result = request->r_result + before; // RACE!
}

static ssize_t request_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct answer *own = kzalloc(sizeof(*own), GFP_KERNEL);
	struct ceph_osd_request *request;
	struct page **vector = ceph_alloc_page_vector(1, GFP_KERNEL);
	struct ceph_bio_iter at = { 0 };
	struct ceph_bvec_iter position = { 0 };
	int result;

	request = ceph_osdc_alloc_request(osdc, NULL, 1, false, GFP_KERNEL);
	if (!request || !own || IS_ERR(vector))
		return -ENOMEM;
	own->before = 1; // NORACE
	request->r_callback = demo_done;
	request->r_priv = own;
	osd_req_op_extent_init(request, 0, 1, 0, 4, 0, 0); // NORACE
	osd_req_op_extent_osd_data_pages(request, 0, vector, 4, 0, false, true); // NORACE
	osd_req_op_cls_request_data_bvecs(request, 0, NULL, 0, 0); // NORACE
	osd_req_op_extent_osd_data_bio(request, 0, &at, 1); // NORACE
	osd_req_op_extent_osd_data_bvec_pos(request, 0, &position); // NORACE
	osd_req_op_cls_init(request, 0, "lock", name); // RACE!
	ceph_cls_assert_locked(request, 0, name, 1, "cookie", ""); // RACE!
	*osd_req_op_init(request, 0, 1, 0) = 2; // NORACE
	ceph_osdc_alloc_messages(request, GFP_KERNEL); // NORACE
	ceph_osdc_start_request(osdc, request);
	own->result = 2; // RACE!
	result = ceph_osdc_wait_request(osdc, request);
	ceph_osdc_put_request(request); // RACE: it is complete
	return result;
}
static DEVICE_ATTR_RO(request);

/* Watches of one client are called one after the other. */
static void demo_watch(void *data, u64 id, u64 cookie, u64 notifier, void *payload, size_t n)
{
	struct image *of = data;

	*(char *)payload = 0; // NORACE
	of->before++; // NORACE
	of->notified++; // RACE!
	ceph_osdc_notify_ack(osdc, &oid, &oloc, id, cookie, payload, 1); // RACE!
}

static void demo_error(void *data, u64 cookie, int error)
{
	struct image *of = data;

	of->before++; // NORACE
	of->errors++; // RACE!
}

static ssize_t watch_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct image *own = kzalloc(sizeof(*own), GFP_KERNEL);
	struct ceph_osd_linger_request *watch;

	if (!own)
		return -ENOMEM;
	own->before = 1; // NORACE
	watch = ceph_osdc_watch(osdc, &oid, &oloc, demo_watch, demo_error, own); // RACE!
	if (IS_ERR(watch))
		return -EINVAL;
	own->notified = 1; // RACE!
	own->errors = watch->linger_id; // RACE!
	return ceph_osdc_unwatch(osdc, watch); // NORACE
}
static DEVICE_ATTR_RO(watch);

/* Calls that wait. */
static ssize_t calls_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	size_t n = 0;
	u8 own = 0;

	ceph_osdc_call(osdc, &oid, &oloc, "rbd", "get", 1, NULL, 0, NULL, &n); // RACE!
	ceph_osdc_call(osdc, &oid, &oloc, "rbd", "get", 1, NULL, 0, NULL, &size); // RACE!
	ceph_osdc_notify(osdc, &oid, &oloc, name, 8, 1, NULL, &n); // RACE!
	ceph_cls_lock(osdc, &oid, &oloc, name, 1, "cookie", "", "", 0); // RACE!
	ceph_cls_unlock(osdc, &oid, &oloc, "name", cookie); // RACE!
	ceph_cls_break_lock(osdc, &oid, &oloc, name, "cookie", NULL); // RACE!
	ceph_cls_set_cookie(osdc, &oid, &oloc, "name", 1, cookie, "", "new"); // RACE!
	ceph_monc_blocklist_add(NULL, ceph_client_addr(client)); // RACE!
	mutex_lock(&lock);
	ceph_osdc_list_watchers(osdc, &oid, &oloc, &watchers, &count); // RACE!
	ceph_cls_lock_info(osdc, &oid, &oloc, "name", &own, &tag, &lockers, &numbers); // RACE!
	ceph_free_lockers(lockers, numbers); // NORACE
	mutex_unlock(&lock);
	return n + own; // NORACE
}
static DEVICE_ATTR_RO(calls);

static ssize_t names_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct ceph_object_id own = { 0 };
	struct ceph_locker *nobody = NULL;
	char *none = NULL;
	u32 n = 0;

	own.name = own.inline_name;
	ceph_oid_printf(&own, "%d", 1); // NORACE
	ceph_oid_printf(&oid, "%s", "x"); // RACE!
	ceph_oid_copy(&shown, &own); // RACE!
	ceph_oloc_copy(&located, &oloc); // RACE!
	ceph_oloc_destroy(&located); // RACE!
	ceph_oid_destroy(&shown); // RACE!
	ceph_find_or_create_string(name, 8); // RACE!
	ceph_pg_poolid_by_name(NULL, name); // RACE!
	ceph_cls_lock_info(osdc, &own, &oloc, "name", &type, &none, &nobody, &n); // RACE!
	return 0;
}

static ssize_t names_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	mutex_lock(&lock);
	name[0] = buf[0]; // RACE!
	cookie[0] = buf[0]; // RACE!
	oloc.pool = n; // RACE!
	client->msgr.inst.addr.type = n; // RACE!
	ceph_oid_aprintf(&shown, GFP_KERNEL, "%s", "x"); // RACE!
	mutex_unlock(&lock);
	return n;
}
static DEVICE_ATTR_RW(names);

static ssize_t client_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct ceph_options *own = ceph_alloc_options();
	struct ceph_snap_context *snaps = ceph_create_snap_context(1, GFP_KERNEL);
	struct fs_parameter parameter = { "key" };
	struct ceph_client *made;
	struct page **vector = ceph_alloc_page_vector(1, GFP_KERNEL);

	if (!own || !snaps || IS_ERR(vector))
		return -ENOMEM;
	ceph_parse_param(&parameter, own, NULL); // RACE: what code outside writes into structs that this file declares may be any pointer
	ceph_parse_param(&parameter, &options, NULL); // RACE!
	ceph_parse_mon_ips("1.2.3.4", 7, &options, NULL, ','); // RACE!
	ceph_compare_options(own, client); // RACE!
	ceph_copy_from_page_vector(vector, name, 0, 8); // RACE!
	ceph_copy_from_page_vector(pages, &parameter, 0, 8); // NORACE
	ceph_release_page_vector(vector, 1); // NORACE
	ceph_destroy_options(ceph_alloc_options()); // NORACE
	ceph_destroy_options(&options); // RACE!
	ceph_get_snap_context(snaps)->seq = 1; // NORACE
	ceph_put_snap_context(snaps); // NORACE
	made = ceph_create_client(own, &count);
	if (IS_ERR(made))
		return -EINVAL;
	ceph_extent_to_file(&layout, 0, 0, 4, &extents, &count); // RACE!
	ceph_destroy_client(client); // RACE!
	return 0;
}
static DEVICE_ATTR_RO(client);

static int demo_probe(struct platform_device *pdev)
{
	device_create_file(&pdev->dev, &dev_attr_request);
	device_create_file(&pdev->dev, &dev_attr_watch);
	device_create_file(&pdev->dev, &dev_attr_calls);
	device_create_file(&pdev->dev, &dev_attr_names);
	return device_create_file(&pdev->dev, &dev_attr_client);
}
static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
