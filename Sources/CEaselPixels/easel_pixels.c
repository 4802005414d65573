#include "easel_pixels.h"
