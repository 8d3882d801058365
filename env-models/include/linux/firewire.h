/* Stub: see lockpair/hosts.h. */
#include <lockpair/hosts.h>
