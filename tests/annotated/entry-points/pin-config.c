/* What the core of pin controllers wants to know is written to variables of its own. */
// verdict: race-free
#include <linux/module.h>

struct pinctrl_dev;
struct pinctrl_map;
struct device_node;
struct pinctrl_ops {
	int (*get_groups_count)(struct pinctrl_dev *pctldev);
	int (*dt_node_to_map)(struct pinctrl_dev *pctldev, struct device_node *np, struct pinctrl_map **map, unsigned int *n);
};
struct pinconf_ops {
	bool is_generic;
	int (*pin_config_get)(struct pinctrl_dev *pctldev, unsigned int pin, unsigned long *config);
	int (*pin_config_group_get)(struct pinctrl_dev *pctldev, unsigned int group, unsigned long *config);
};

static int demo_node_to_map(struct pinctrl_dev *pctldev, struct device_node *np, struct pinctrl_map **map, unsigned int *n)
{
	*map = NULL; // NORACE
	*n = 0; // NORACE
	return 0;
}
const struct pinctrl_ops demo_pinctrl = { .dt_node_to_map = demo_node_to_map };

static int demo_pin_get(struct pinctrl_dev *pctldev, unsigned int pin, unsigned long *config)
{
	*config += pin; // NORACE
	return 0;
}

static int demo_group_get(struct pinctrl_dev *pctldev, unsigned int group, unsigned long *config)
{
	*config = group; // NORACE
	return 0;
}
const struct pinconf_ops demo_pinconf = { .pin_config_get = demo_pin_get, .pin_config_group_get = demo_group_get };
MODULE_LICENSE("GPL");
