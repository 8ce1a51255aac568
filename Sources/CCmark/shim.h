#ifndef ZB_CCMARK_SHIM_H
#define ZB_CCMARK_SHIM_H
#include <cmark-gfm.h>
#endif
