#include "easel_jpeg.h"
