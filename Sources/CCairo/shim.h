#ifndef ZB_CCAIRO_SHIM_H
#define ZB_CCAIRO_SHIM_H
#include <cairo.h>
#endif
