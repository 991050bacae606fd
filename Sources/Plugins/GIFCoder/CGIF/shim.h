// gif_lib.h wants size_t and bool from whoever includes it.
#include <stdbool.h>
#include <stddef.h>

#include <gif_lib.h>
