#ifndef EASEL_CURL_H
#define EASEL_CURL_H
#include <curl/curl.h>
#endif
