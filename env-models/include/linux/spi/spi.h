/* Stub: see lockpair/spi.h. */
#include <lockpair/spi.h>
