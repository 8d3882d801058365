/* What other modules include that deal with this one: they set up the members. */
struct shared_dev {
	int count, quiet;
};

struct shared_client {
	int id;
	struct shared_dev *dev;
};

struct shared_slot {
	int n;
};

struct shared_host {
	struct shared_slot *slot;
};

struct shared_ops {
	void (*reset)(struct shared_host *host);
	void (*tick)(struct shared_slot *slot);
};

void shared_poke(struct shared_client *client);
struct shared_dev *shared_find(struct device *dev);
int shared_register(const struct shared_ops *ops);
