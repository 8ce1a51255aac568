// What glibc offers beside malloc, which Swift's Glibc module leaves out.
#include <malloc.h>
