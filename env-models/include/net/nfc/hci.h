/* Stub: see lockpair/nfc.h. */
#include <lockpair/nfc.h>
