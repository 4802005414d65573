#ifndef EASEL_SYSTEM_H
#define EASEL_SYSTEM_H
#endif
