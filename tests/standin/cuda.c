/* A stand-in for CUDA's driver with what the probe calls. A measurement takes as many milliseconds as
 * LCMBENCH_STANDIN_MILLISECONDS says, 1 by default; nothing is really done. Handles are numbers. */
#include <stdlib.h>
#include <string.h>

typedef int Result;

Result cuInit(unsigned flags) { (void)flags; return getenv("LCMBENCH_STANDIN_NO_DEVICE") ? 100 : 0; }
Result cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }
Result cuDevicePrimaryCtxRetain(void **context, int device) { (void)device; *context = (void *)1; return 0; }
Result cuCtxSetCurrent(void *context) { (void)context; return 0; }
Result cuCtxSynchronize(void) { return 0; }
Result cuModuleLoadData(void **module, const char *text) { *module = (void *)1; return strstr(text, ".version") ? 0 : 218; }
Result cuModuleGetFunction(void **function, void *module, const char *name) {
    (void)module;
    *function = (void *)1;
    return strcmp(name, "idle") && strcmp(name, "chain") ? 500 : 0;
}
Result cuDeviceGetName(char *name, int length, int device) { (void)device; strncpy(name, "Stand-in", (size_t)length); return 0; }
Result cuDeviceGetAttribute(int *value, int attribute, int device) { (void)attribute; (void)device; *value = 132; return 0; }
Result cuMemAlloc_v2(unsigned long long *pointer, size_t bytes) { (void)bytes; *pointer = 4096; return 0; }
Result cuMemFree_v2(unsigned long long pointer) { (void)pointer; return 0; }
Result cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, size_t bytes, void *stream) {
    (void)to; (void)from; (void)bytes; (void)stream;
    return 0;
}
Result cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                      void *stream, void **parameters, void **extra) {
    (void)function; (void)gx; (void)gy; (void)gz; (void)bx; (void)by; (void)bz; (void)shared; (void)stream; (void)parameters; (void)extra;
    return 0;
}
Result cuEventCreate(void **event, unsigned flags) { (void)flags; *event = (void *)1; return 0; }
Result cuEventRecord(void *event, void *stream) { (void)event; (void)stream; return 0; }
Result cuEventDestroy_v2(void *event) { (void)event; return 0; }
Result cuEventElapsedTime(float *milliseconds, void *first, void *last) {
    const char *told = getenv("LCMBENCH_STANDIN_MILLISECONDS");
    (void)first; (void)last;
    *milliseconds = told ? (float)atof(told) : 1.0f;
    return 0;
}
Result cuGetErrorName(Result result, const char **name) { *name = result == 100 ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR"; return 0; }
Result cuGetErrorString(Result result, const char **text) { (void)result; *text = "no CUDA-capable device is detected"; return 0; }
