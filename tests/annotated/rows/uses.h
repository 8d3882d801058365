/* What is no part of the stub headers. */
struct srcu_struct { long readers; };
int init_srcu_struct(struct srcu_struct *srcu);
void cleanup_srcu_struct(struct srcu_struct *srcu);
int srcu_read_lock(struct srcu_struct *srcu);
void srcu_read_unlock(struct srcu_struct *srcu, int reader);
void device_initialize(struct device *dev);
struct device *get_device(struct device *dev);
void __kthread_init_worker(struct kthread_worker *worker, const char *name, void *key);
void kthread_flush_worker(struct kthread_worker *worker);
struct sk_buff *alloc_skb_with_frags(unsigned long size, unsigned long pages, int order, int *error, gfp_t flags);
void *devm_platform_get_and_ioremap_resource(struct platform_device *pdev, unsigned int n, struct resource **resource);
bool printk_timed_ratelimit(unsigned long *last, unsigned int interval);
bool kthread_freezable_should_stop(bool *frozen);
void nci_req_complete(void *ndev, int result);
