struct page;
struct scatterlist;
struct agp_bridge_data;

struct agp_memory {
	struct agp_bridge_data *bridge;
	struct page **pages;
	size_t page_count;
	long pg_start;
	u32 type, physical;
	bool is_bound, is_flushed;
	struct scatterlist *sg_list;
	int num_sg;
};

struct agp_bridge_driver {
	int (*create_gatt_table)(struct agp_bridge_data *bridge);
	int (*free_gatt_table)(struct agp_bridge_data *bridge);
	void (*agp_enable)(struct agp_bridge_data *bridge, u32 mode);
	int (*agp_alloc_pages)(struct agp_bridge_data *bridge, struct agp_memory *memory, size_t count);
	void (*agp_destroy_pages)(struct agp_memory *memory);
	int (*insert_memory)(struct agp_memory *memory, long start, int type);
	int (*remove_memory)(struct agp_memory *memory, long start, int type);
};

struct agp_bridge_data {
	const struct agp_bridge_driver *driver;
	void *dev, *current_size;
	u32 *gatt_table, *gatt_table_real;
	unsigned long scratch_page, gart_bus_addr, gatt_bus_addr;
	u32 mode;
	int current_memory_agp, aperture_size_idx, capndx, flags;
	char major_version, minor_version;
};
