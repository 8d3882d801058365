/* Stub of the mailbox framework's side for clients. */
#ifndef LOCKPAIR_MAILBOX_CLIENT_H
#define LOCKPAIR_MAILBOX_CLIENT_H
#include <lockpair/linux.h>

struct mbox_client { struct device *dev; void (*rx_callback)(struct mbox_client *client, void *message); };

#endif
