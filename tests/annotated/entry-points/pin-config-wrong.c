/* The same functions, and what they keep for themselves. */
// verdict: potential
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

static unsigned int asked;
static unsigned long last;

static int demo_node_to_map(struct pinctrl_dev *pctldev, struct device_node *np, struct pinctrl_map **map, unsigned int *n)
{
	*n = asked++; // RACE!
	return 0;
}
const struct pinctrl_ops demo_pinctrl = { .dt_node_to_map = demo_node_to_map };

static int demo_pin_get(struct pinctrl_dev *pctldev, unsigned int pin, unsigned long *config)
{
	last = pin; // RACE!
	return 0;
}

static int demo_group_get(struct pinctrl_dev *pctldev, unsigned int group, unsigned long *config)
{
	*config = last; // RACE!
	return 0;
}
const struct pinconf_ops demo_pinconf = { .pin_config_get = demo_pin_get, .pin_config_group_get = demo_group_get };
MODULE_LICENSE("GPL");
