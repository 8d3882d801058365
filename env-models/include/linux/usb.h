/* Stub: see lockpair/usb-tty.h. */
#include <lockpair/usb-tty.h>
