// The calls of the CUDA driver that the benchmark needs, found in libcuda.so.1 when it starts. No toolkit is needed.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

typedef struct Opaque* Handle; // context, module, kernel, stream, event or graph
typedef unsigned long long Address;

// As in cuda.h.
struct LaunchAttribute {
    unsigned id;
    unsigned padding;
    int allowed;
    unsigned char rest[60];
};
static_assert(sizeof(LaunchAttribute) == 72, "as in cuda.h");

struct LaunchConfig {
    unsigned gridX, gridY, gridZ, threadsX, threadsY, threadsZ, sharedBytes;
    Handle stream;
    const LaunchAttribute* attributes;
    unsigned count;
};
static_assert(sizeof(LaunchConfig) == 56, "as in cuda.h");

#define PROGRAMMATIC_STREAM_SERIALIZATION 6

// Name in the library, name here, parameters.
#define DRIVER_CALLS(CALL)                                                                                     \
    CALL(cuInit, start, unsigned flags)                                                                        \
    CALL(cuDeviceGet, device, int* device, int ordinal)                                                        \
    CALL(cuDeviceGetName, deviceName, char* name, int bytes, int device)                                       \
    CALL(cuDeviceGetAttribute, attribute, int* value, int which, int device)                                   \
    CALL(cuDevicePrimaryCtxRetain, retain, Handle* context, int device)                                        \
    CALL(cuCtxSetCurrent, makeCurrent, Handle context)                                                         \
    CALL(cuModuleLoadData, load, Handle* module, const void* text)                                             \
    CALL(cuModuleGetFunction, kernel, Handle* kernel, Handle module, const char* name)                         \
    CALL(cuFuncSetAttribute, setAttribute, Handle kernel, int which, int value)                                \
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, blocksEach, int* blocks, Handle kernel, int threads,     \
         size_t sharedBytes)                                                                                   \
    CALL(cuMemAlloc_v2, allocate, Address* memory, size_t bytes)                                               \
    CALL(cuMemFree_v2, release, Address memory)                                                                \
    CALL(cuMemcpyHtoD_v2, copy, Address to, const void* from, size_t bytes)                                    \
    CALL(cuMemcpyDtoH_v2, read, void* to, Address from, size_t bytes)                                          \
    CALL(cuMemsetD8_v2, fill, Address to, unsigned char value, size_t bytes)                                   \
    CALL(cuStreamCreate, stream, Handle* stream, unsigned flags)                                               \
    CALL(cuStreamSynchronize, wait, Handle stream)                                                             \
    CALL(cuStreamBeginCapture_v2, beginCapture, Handle stream, int mode)                                       \
    CALL(cuStreamEndCapture, endCapture, Handle stream, Handle* graph)                                         \
    CALL(cuGraphInstantiateWithFlags, instantiate, Handle* executable, Handle graph, unsigned long long flags) \
    CALL(cuGraphLaunch, launchGraph, Handle executable, Handle stream)                                         \
    CALL(cuGraphExecDestroy, destroyExecutable, Handle executable)                                             \
    CALL(cuGraphDestroy, destroyGraph, Handle graph)                                                           \
    CALL(cuEventCreate, event, Handle* event, unsigned flags)                                                  \
    CALL(cuEventRecord, record, Handle event, Handle stream)                                                   \
    CALL(cuEventSynchronize, waitFor, Handle event)                                                            \
    CALL(cuEventElapsedTime, elapsed, float* milliseconds, Handle from, Handle to)                             \
    CALL(cuLaunchKernel, launch, Handle kernel, unsigned x, unsigned y, unsigned z, unsigned threads,          \
         unsigned threadsY, unsigned threadsZ, unsigned sharedBytes, Handle stream, void** arguments, void** extra) \
    CALL(cuLaunchKernelEx, launchWith, const LaunchConfig* configuration, Handle kernel, void** arguments,     \
         void** extra)

#define MULTIPROCESSORS 16
#define CAPABILITY_MAJOR 75
#define CAPABILITY_MINOR 76
#define DYNAMIC_SHARED_BYTES 8

class Driver {
public:
    Driver() : library(dlopen("libcuda.so.1", RTLD_NOW)) {
        if (library == nullptr) {
            std::fprintf(stderr, "kernel_bench: there is no CUDA driver (%s)\n", dlerror());
            std::exit(2);
        }
    }

    // Each ends the program if the driver reports a failure.
#define CALL(symbol, name, ...)                                                     \
    template <typename... Arguments> void name(Arguments... arguments) {            \
        static int (*const function)(__VA_ARGS__) =                                 \
            reinterpret_cast<int (*)(__VA_ARGS__)>(find(#symbol));                  \
        require(#symbol, function(arguments...));                                   \
    }
    DRIVER_CALLS(CALL)
#undef CALL

private:
    void* const library;

    void* find(const char* symbol) {
        void* found = dlsym(library, symbol);
        if (found == nullptr) {
            std::fprintf(stderr, "kernel_bench: the CUDA driver has no %s; install a newer one\n", symbol);
            std::exit(2);
        }
        return found;
    }

    static void require(const char* symbol, int code) {
        if (code != 0) {
            std::fprintf(stderr, "kernel_bench: %s answered %d\n", symbol, code);
            std::exit(1);
        }
    }
};
