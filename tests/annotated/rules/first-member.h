struct demo {
	int first, second;
	spinlock_t lock;
	struct list_head link;
};

/* When this is inlined, nothing is left of the member's address but that of the struct. */
static inline void count(struct demo *demo)
{
	demo->first++;
}
