/* Stub: see lockpair/linux.h. */
#include <lockpair/linux.h>
