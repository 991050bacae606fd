// gif_lib.h uses size_t and bool without including their headers.
#include <stdbool.h>
#include <stddef.h>

#include <gif_lib.h>
