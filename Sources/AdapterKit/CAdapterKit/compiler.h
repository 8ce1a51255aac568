#ifndef ZB_CADAPTERKIT_COMPILER_H
#define ZB_CADAPTERKIT_COMPILER_H
/* The version of the compiler that compiles whoever includes this: a plugin's, not AdapterKit's. */
static inline const char *_Nonnull zb_compiler(void) { return __VERSION__; }
#endif
