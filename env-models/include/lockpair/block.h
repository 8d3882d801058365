/* Stub of the block layer: the members that the rows of the environment model name, and some that drivers use. */
#ifndef LOCKPAIR_BLOCK_H
#define LOCKPAIR_BLOCK_H
#include <lockpair/linux.h>

typedef unsigned long long sector_t;
typedef unsigned int blk_opf_t;
typedef unsigned char blk_status_t;
struct attribute_group;
struct bio;
struct blk_mq_hw_ctx;
struct blk_mq_tag_set;
struct gendisk;
struct page;
struct request;

/* --- disks -------------------------------------------------------------------------------- */

struct queue_limits { unsigned int max_hw_sectors, max_sectors, logical_block_size, io_opt; };
struct request_queue {
	unsigned long queue_flags;
	struct queue_limits limits;
	void *queuedata;
	struct gendisk *disk;
};
struct block_device {
	sector_t bd_start_sect, bd_nr_sectors;
	unsigned long bd_stamp;
	struct inode *bd_inode;
	spinlock_t bd_size_lock;
	struct gendisk *bd_disk;
	struct request_queue *bd_queue;
};
struct hd_geometry { unsigned char heads, sectors; unsigned short cylinders; unsigned long start; };
struct blk_zone { u64 start, len, wp; u8 type, cond; };
typedef int (*report_zones_cb)(struct blk_zone *zone, unsigned int idx, void *data);
struct block_device_operations {
	void (*submit_bio)(struct bio *bio);
	int (*report_zones)(struct gendisk *disk, sector_t sector, unsigned int count, report_zones_cb cb, void *data);
	int (*open)(struct block_device *bdev, fmode_t mode);
	void (*release)(struct gendisk *disk, fmode_t mode);
	int (*ioctl)(struct block_device *bdev, fmode_t mode, unsigned int cmd, unsigned long arg);
	int (*getgeo)(struct block_device *bdev, struct hd_geometry *geo);
	void (*free_disk)(struct gendisk *disk);
	struct module *owner;
};
struct gendisk {
	int major, first_minor, minors, flags;
	struct block_device *part0;
	const struct block_device_operations *fops;
	struct request_queue *queue;
	void *private_data;
	unsigned long state;
	struct mutex open_mutex;
	unsigned int open_partitions;
	void *bdi, *slave_dir;
};
struct gendisk *alloc_disk(int minors);
struct gendisk *__blk_alloc_disk(int node, void *key);
struct gendisk *__blk_mq_alloc_disk(struct blk_mq_tag_set *set, void *queuedata, void *key);
int device_add_disk(struct device *parent, struct gendisk *disk, const struct attribute_group **groups);
static inline int add_disk(struct gendisk *disk) { return device_add_disk(NULL, disk, NULL); }
void del_gendisk(struct gendisk *disk);
void put_disk(struct gendisk *disk);
void set_capacity(struct gendisk *disk, sector_t sectors);
bool set_capacity_and_notify(struct gendisk *disk, sector_t sectors);
static inline sector_t get_capacity(struct gendisk *disk) { return disk->part0->bd_nr_sectors; }
void set_disk_ro(struct gendisk *disk, bool read_only);
void invalidate_disk(struct gendisk *disk);
int bdev_disk_changed(struct gendisk *disk, bool invalidate);
int sync_blockdev(struct block_device *bdev);
struct block_device *blkdev_get_by_dev(dev_t dev, fmode_t mode, void *holder);
struct block_device *blkdev_get_by_path(const char *path, fmode_t mode, void *holder);
void blkdev_put(struct block_device *bdev, fmode_t mode);
int __register_blkdev(unsigned int major, const char *name, void (*probe)(dev_t number));
void unregister_blkdev(unsigned int major, const char *name);

/* --- queues and requests ------------------------------------------------------------------ */

struct blk_mq_queue_map { unsigned int *mq_map, nr_queues, queue_offset; };
struct blk_mq_hw_ctx { unsigned long state; struct request_queue *queue; void *driver_data; };
struct blk_mq_queue_data { struct request *rq; bool last; };
struct blk_mq_ops {
	blk_status_t (*queue_rq)(struct blk_mq_hw_ctx *hctx, const struct blk_mq_queue_data *bd);
	void (*complete)(struct request *rq);
	int (*init_hctx)(struct blk_mq_hw_ctx *hctx, void *data, unsigned int index);
	int (*init_request)(struct blk_mq_tag_set *set, struct request *rq, unsigned int index, unsigned int node);
	void (*map_queues)(struct blk_mq_tag_set *set);
};
struct blk_mq_tag_set {
	struct blk_mq_queue_map map[3];
	unsigned int nr_maps;
	const struct blk_mq_ops *ops;
	unsigned int nr_hw_queues, queue_depth, reserved_tags, cmd_size;
	int numa_node;
	unsigned int timeout, flags;
	void *driver_data, *tags, *shared_tags;
	struct mutex tag_list_lock;
	struct list_head tag_list;
};
int blk_mq_alloc_tag_set(struct blk_mq_tag_set *set);
void blk_mq_free_tag_set(struct blk_mq_tag_set *set);
void blk_mq_update_nr_hw_queues(struct blk_mq_tag_set *set, int n);
void blk_mq_tagset_busy_iter(struct blk_mq_tag_set *set, bool (*function)(struct request *rq, void *data), void *data);
void blk_mq_map_queues(struct blk_mq_queue_map *map);
struct virtio_device;
void blk_mq_virtio_map_queues(struct blk_mq_queue_map *map, struct virtio_device *vdev, int vector);
void blk_mq_freeze_queue(struct request_queue *q);
void blk_mq_unfreeze_queue(struct request_queue *q);
void blk_queue_flag_set(unsigned int flag, struct request_queue *q);
void blk_queue_flag_clear(unsigned int flag, struct request_queue *q);
void blk_queue_max_hw_sectors(struct request_queue *q, unsigned int sectors);
void blk_queue_io_opt(struct request_queue *q, unsigned int size);

struct request {
	struct request_queue *q;
	struct blk_mq_hw_ctx *mq_hctx;
	blk_opf_t cmd_flags;
	unsigned int rq_flags, timeout, __data_len;
	sector_t __sector;
	struct bio *bio, *biotail;
	struct list_head queuelist;
	unsigned short nr_phys_segments;
	unsigned int state;
	int (*end_io)(struct request *rq, blk_status_t status);
	void *end_io_data;
};
struct request *blk_mq_alloc_request(struct request_queue *q, blk_opf_t operation, unsigned int flags);
void blk_mq_free_request(struct request *rq);
void blk_mq_start_request(struct request *rq);
void blk_mq_complete_request(struct request *rq);
bool blk_update_request(struct request *rq, blk_status_t status, unsigned int bytes);
void blk_mq_end_request(struct request *rq, blk_status_t status);
void blk_mq_requeue_request(struct request *rq, bool kick);
blk_status_t blk_execute_rq(struct request *rq, bool at_head);
int blk_rq_map_kern(struct request_queue *q, struct request *rq, void *buffer, unsigned int size, gfp_t flags);

/* --- bios --------------------------------------------------------------------------------- */

struct bio_set;
struct bio_vec { struct page *bv_page; unsigned int bv_len, bv_offset; };
struct bvec_iter { sector_t bi_sector; unsigned int bi_size, bi_idx, bi_bvec_done; } __attribute__((packed));
struct bio {
	struct bio *bi_next;
	struct block_device *bi_bdev;
	blk_opf_t bi_opf;
	unsigned short bi_flags;
	blk_status_t bi_status;
	struct bvec_iter bi_iter;
	void (*bi_end_io)(struct bio *bio);
	void *bi_private;
	unsigned short bi_vcnt, bi_max_vecs;
	struct bio_vec *bi_io_vec;
};
struct bio *bio_alloc_bioset(struct block_device *bdev, unsigned short n, blk_opf_t operation, gfp_t flags,
			     struct bio_set *set);
void bio_init(struct bio *bio, struct block_device *bdev, struct bio_vec *vectors, unsigned short n, blk_opf_t operation);
void bio_put(struct bio *bio);
int bio_add_page(struct bio *bio, struct page *page, unsigned int n, unsigned int offset);
void zero_fill_bio(struct bio *bio);
void bio_endio(struct bio *bio);
void submit_bio(struct bio *bio);
int submit_bio_wait(struct bio *bio);
void page_endio(struct page *page, bool is_write, int error);

#endif
