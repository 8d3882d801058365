/* DMA engines, as their clients see them. */
#include <linux/types.h>

struct dma_chan;
struct scatterlist;
struct dma_async_tx_descriptor {
	int cookie, flags;
	u64 phys;
	struct dma_chan *chan;
	int (*tx_submit)(struct dma_async_tx_descriptor *desc);
	void (*callback)(void *param);
	void (*callback_result)(void *param, const void *result);
	void *callback_param;
};
struct dma_slave_config { int direction; u64 src_addr, dst_addr; void *peripheral_config; size_t peripheral_size; };
struct sdma_peripheral_config { int n_fifos_src, n_fifos_dst; };
struct dma_tx_state { int last, used; u32 residue; };
struct dma_interleaved_template { u64 src_start, dst_start; size_t numf; };
struct dma_device {
	int privatecnt;
	struct dma_async_tx_descriptor *(*device_prep_dma_memcpy)(struct dma_chan *chan, u64 dst, u64 src, size_t n, unsigned long flags);
	struct dma_async_tx_descriptor *(*device_prep_dma_memset)(struct dma_chan *chan, u64 dst, int value, size_t n, unsigned long flags);
	struct dma_async_tx_descriptor *(*device_prep_dma_interrupt)(struct dma_chan *chan, unsigned long flags);
	struct dma_async_tx_descriptor *(*device_prep_dma_cyclic)(struct dma_chan *chan, u64 addr, size_t n, size_t period, int direction,
								  unsigned long flags);
	struct dma_async_tx_descriptor *(*device_prep_slave_sg)(struct dma_chan *chan, struct scatterlist *list, unsigned int n,
								int direction, unsigned long flags, void *context);
	struct dma_async_tx_descriptor *(*device_prep_interleaved_dma)(struct dma_chan *chan, struct dma_interleaved_template *xt,
								       unsigned long flags);
	int (*device_config)(struct dma_chan *chan, struct dma_slave_config *config);
	int (*device_pause)(struct dma_chan *chan);
	int (*device_resume)(struct dma_chan *chan);
	int (*device_terminate_all)(struct dma_chan *chan);
	void (*device_synchronize)(struct dma_chan *chan);
	int (*device_tx_status)(struct dma_chan *chan, int cookie, struct dma_tx_state *state);
	void (*device_issue_pending)(struct dma_chan *chan);
};
struct dma_chan { struct dma_device *device; int cookie, completed_cookie, client_count; };
