#ifndef ZB_CYAML_SHIM_H
#define ZB_CYAML_SHIM_H
#include <yaml.h>
#endif
