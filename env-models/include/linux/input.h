/* Stub: see lockpair/classes.h. */
#include <lockpair/classes.h>
