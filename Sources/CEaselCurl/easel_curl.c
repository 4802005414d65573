#include "easel_curl.h"
