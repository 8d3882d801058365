/* Sound: cards, controls and streams, as far as these inputs use them. Not Linux. */
#pragma once
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/rwsem.h>
struct snd_card { struct rw_semaphore controls_rwsem; int number; };
struct snd_kcontrol;
struct snd_ctl_elem_id { unsigned int numid, index; unsigned char name[44]; };
struct snd_ctl_elem_info { int type; unsigned int count; };
struct snd_ctl_elem_value { long value[128]; };
struct snd_kcontrol_new {
	int iface; unsigned int device, subdevice; const char *name; unsigned int index, access, count;
	int (*info)(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_info *uinfo);
	int (*get)(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol);
	int (*put)(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol);
	const unsigned int *tlv;
	unsigned long private_value;
};
struct snd_kcontrol_volatile { void *owner; unsigned int access; };
struct snd_kcontrol {
	struct list_head list;
	struct snd_ctl_elem_id id;
	unsigned int count;
	int (*info)(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_info *uinfo);
	int (*get)(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol);
	int (*put)(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol);
	const unsigned int *tlv;
	unsigned long private_value;
	void *private_data;
	void (*private_free)(struct snd_kcontrol *kcontrol);
	struct snd_kcontrol_volatile vd[];
};
struct snd_kcontrol *snd_ctl_new1(const struct snd_kcontrol_new *ncontrol, void *private_data);
int snd_ctl_add(struct snd_card *card, struct snd_kcontrol *kcontrol);
int snd_ctl_remove(struct snd_card *card, struct snd_kcontrol *kcontrol);

struct snd_pcm_substream;
struct snd_pcm_hw_params { int rate; };
struct snd_pcm_ops {
	int (*open)(struct snd_pcm_substream *substream);
	int (*close)(struct snd_pcm_substream *substream);
	int (*hw_params)(struct snd_pcm_substream *substream, struct snd_pcm_hw_params *params);
	int (*hw_free)(struct snd_pcm_substream *substream);
	int (*prepare)(struct snd_pcm_substream *substream);
	int (*trigger)(struct snd_pcm_substream *substream, int cmd);
	int (*sync_stop)(struct snd_pcm_substream *substream);
	unsigned long (*pointer)(struct snd_pcm_substream *substream);
};
struct snd_pcm { struct snd_card *card; struct mutex open_mutex; void *private_data; void (*private_free)(struct snd_pcm *pcm); };
struct snd_pcm_runtime { struct mutex buffer_mutex; int state; unsigned long hw_ptr_base, hw_ptr_interrupt; void *private_data; };
struct snd_pcm_group { spinlock_t lock; struct mutex mutex; };
struct snd_pcm_substream { struct snd_pcm *pcm; void *private_data; int stream; const struct snd_pcm_ops *ops; struct snd_pcm_runtime *runtime; struct snd_pcm_group self_group; };
void snd_pcm_set_ops(struct snd_pcm *pcm, int direction, const struct snd_pcm_ops *ops);
void snd_pcm_period_elapsed(struct snd_pcm_substream *substream);
void snd_pcm_period_elapsed_under_stream_lock(struct snd_pcm_substream *substream);
int snd_pcm_stop_xrun(struct snd_pcm_substream *substream);
unsigned long _snd_pcm_stream_lock_irqsave(struct snd_pcm_substream *substream);
void snd_pcm_stream_unlock_irqrestore(struct snd_pcm_substream *substream, unsigned long flags);
