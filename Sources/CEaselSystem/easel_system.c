#include "easel_system.h"
