#ifndef ZB_CSIMDJSON_H
#define ZB_CSIMDJSON_H
#endif
