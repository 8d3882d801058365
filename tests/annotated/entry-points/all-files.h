/* Shared by the files of a module. */
struct demo_ops {
	int (*level)(void);
};
extern const struct demo_ops demo_kinds[2];
