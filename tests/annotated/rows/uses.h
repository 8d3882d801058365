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
