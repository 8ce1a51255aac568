#ifndef ZB_CMICROHTTPD_SHIM_H
#define ZB_CMICROHTTPD_SHIM_H
#include <microhttpd.h>
#endif
