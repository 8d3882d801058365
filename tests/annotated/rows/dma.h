/* DMA channels: the members that inputs use. Not Linux. */
#include <linux/module.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

typedef struct { unsigned long bits[1]; } dma_cap_mask_t;
struct dma_device { unsigned int chancnt, privatecnt; dma_cap_mask_t cap_mask; struct device *dev; };
struct dma_chan { struct dma_device *device; struct device *slave; int cookie, chan_id; int client_count; void *private; };
typedef bool (*dma_filter_fn)(struct dma_chan *chan, void *data);
struct dma_chan *dma_request_chan(struct device *dev, const char *name);
struct dma_chan *devm_dma_request_chan(struct device *dev, const char *name);
struct dma_chan *__dma_request_channel(const dma_cap_mask_t *mask, dma_filter_fn filter, void *data, struct device_node *node);
void dma_release_channel(struct dma_chan *chan);
