/* What the files of a module know of each other. */
struct part {
	int level, bare;
};

struct part_ops {
	void (*up)(struct part *part);
	void (*bare)(struct part *part);
};
