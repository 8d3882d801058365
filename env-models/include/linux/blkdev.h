/* Stub: see lockpair/block.h. */
#include <lockpair/block.h>
