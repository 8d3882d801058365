/* Functions that run on other CPUs, from when they are told to. */
// verdict: potential
#include <linux/module.h>

struct cpumask { unsigned long bits[1]; };
int smp_call_function_single(int cpu, void (*func)(void *info), void *info, int wait);
void smp_call_function(void (*func)(void *info), void *info, int wait);
int smp_call_function_any(const struct cpumask *mask, void (*func)(void *info), void *info, int wait);
void on_each_cpu_cond_mask(bool (*cond)(int cpu, void *info), void (*func)(void *info), void *info, bool wait,
			   const struct cpumask *mask);

struct info {
	int early, late;
};
static struct info one = { 1, 1 }, all = { 1, 1 }, any = { 1, 1 };

static void demo_one(void *data)
{
	struct info *info = data;

	if (info->early + info->late) // RACE!
		return;
}

static void demo_all(void *data)
{
	struct info *info = data;

	if (info->early + info->late) // RACE!
		return;
}

static void demo_any(void *data)
{
	struct info *info = data;

	if (info->early + info->late) // RACE!
		return;
}

static int conditions;

/* In the thread that asks, for one CPU after the other. */
static bool demo_condition(int cpu, void *data)
{
	conditions++; // RACE!
	return true;
}

static void demo_asked(void *data)
{
	if (conditions) // RACE!
		return;
}

static int __init demo_init(void)
{
	one.early = 2; // NORACE
	smp_call_function_single(1, demo_one, &one, 0);
	one.late = 2; // RACE!
	all.early = 2; // NORACE
	smp_call_function(demo_all, &all, 0);
	all.late = 2; // RACE!
	any.early = 2; // NORACE
	smp_call_function_any(NULL, demo_any, &any, 0);
	any.late = 2; // RACE!
	on_each_cpu_cond_mask(demo_condition, demo_asked, NULL, true, NULL);
	return 0;
}
module_init(demo_init);
