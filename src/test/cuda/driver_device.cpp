// The driver's calls about itself, its devices and their primary contexts.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "driver_world.h"

using namespace driver;

namespace {
struct ErrorText {
    int code;
    const char* name;
    const char* text;
};

const ErrorText ERRORS[] = {
        {SUCCESS, "CUDA_SUCCESS", "no error"},
        {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
        {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
        {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
        {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
        {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
        {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
        {NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
        {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
        {UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
                "the provided PTX was compiled with an unsupported toolchain."},
        {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
        {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
        {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
        {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
        {LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
        {PEER_ACCESS_ALREADY_ENABLED, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled"},
        {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
        {NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
        {STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
                "operation not permitted when stream is capturing"},
        {STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
                "operation failed due to a previous error during capture"},
        {STREAM_CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work"},
        {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

const ErrorText* find(int code) {
    const auto* found = std::find_if(std::begin(ERRORS), std::end(ERRORS), [code](const ErrorText& e) { return e.code == code; });
    return found == std::end(ERRORS) ? nullptr : found;
}

Device* device(World& world, int ordinal) {
    return ordinal < 0 || ordinal >= world.setting("devices") || ordinal >= MOST_DEVICES ? nullptr : &world.devices[ordinal];
}

// Answers about the device of that ordinal.
template <typename F>
int about(int ordinal, F body) {
    return answer(Needs::DRIVER, [&](World& world, Lock&) {
        Device* which = device(world, ordinal);
        return which == nullptr ? static_cast<int>(INVALID_DEVICE) : body(world, *which);
    });
}

int optInSharedBytes(int capability) {
    return capability == 80 ? 166912 : capability < 90 || capability >= 120 ? 101376 : 232448;
}

// The attributes that are asked for; values of a small device of the configured generation.
int attribute(const World& world, const Device& device, int which, int* value) {
    int capability = world.capability();
    const std::map<int, int> known = {{1, 1024}, {2, 1024}, {3, 1024}, {4, 64}, {5, 0x7fffffff}, {6, 65535}, {7, 65535},
            {8, 49152}, {10, 32}, {12, 65536}, {13, 1500000}, {16, static_cast<int>(world.setting("multiprocessors"))},
            {18, 0}, {31, 1}, {33, device.ordinal + 1}, {34, 0}, {36, 1000000}, {37, 256}, {38, 4 << 20},
            {39, capability == 80 || capability == 90 || capability == 100 ? 2048 : 1536}, {40, 2}, {41, 1}, {50, 0},
            {75, capability / 10}, {76, capability % 10}, {78, 1}, {81, optInSharedBytes(capability) + 1024}, {82, 65536},
            {83, 0}, {95, 1}, {97, optInSharedBytes(capability)}, {115, 0}};
    auto found = known.find(which);
    if (found == known.end()) {
        return INVALID_VALUE;
    }
    *value = found->second;
    return SUCCESS;
}

void destroyContext(World& world, Lock& lock, Device& device) {
    world.waitUntilIdle(lock, device);
    std::vector<Allocation> leaked;
    for (const auto& [address, allocation] : world.allocations) {
        if (allocation.device == &device) {
            leaked.push_back(allocation);
        }
    }
    world.counts["leaked_allocations"] += static_cast<long long>(leaked.size());
    for (const Allocation& allocation : leaked) {
        world.release(allocation);
    }
    std::vector<std::shared_ptr<Capture>> captures = world.captures;
    for (const auto& capture : captures) {
        if (capture->graph.device == &device) {
            world.dissolve(capture);
        }
    }
    for (auto at = world.streams.objects.begin(); at != world.streams.objects.end();) {
        bool mine = at->second->device == &device;
        if (mine) {
            world.close(at->second);
            world.counts["leaked_streams"]++;
        }
        at = mine ? world.streams.objects.erase(at) : std::next(at);
    }
    for (auto at = world.modules.objects.begin(); at != world.modules.objects.end();) {
        at = at->second->device == &device ? world.modules.objects.erase(at) : std::next(at);
    }
    if (device.defaultStream != nullptr) {
        world.close(device.defaultStream);
        device.defaultStream = nullptr;
    }
    device.retiring.clear();
    device.sticky = SUCCESS;
    world.changed.notify_all();
}
}

DRIVER_CALL cuInit(unsigned) {
    return answer(Needs::NOTHING, [](World& world, Lock&) -> int {
        if (world.setting("devices") <= 0) {
            return NO_DEVICE;
        }
        world.initialised = true;
        return SUCCESS;
    });
}

DRIVER_CALL cuDriverGetVersion(int* version) {
    return answer(Needs::NOTHING, [&](World& world, Lock&) {
        *version = static_cast<int>(world.setting("driver_version"));
        return SUCCESS;
    });
}

DRIVER_CALL cuGetErrorName(int code, const char** name) {
    const ErrorText* error = find(code);
    *name = error == nullptr ? nullptr : error->name;
    return error == nullptr ? INVALID_VALUE : SUCCESS;
}

DRIVER_CALL cuGetErrorString(int code, const char** text) {
    const ErrorText* error = find(code);
    *text = error == nullptr ? nullptr : error->text;
    return error == nullptr ? INVALID_VALUE : SUCCESS;
}

DRIVER_CALL cuDeviceGetCount(int* count) {
    return answer(Needs::DRIVER, [&](World& world, Lock&) {
        *count = static_cast<int>(std::min<long long>(world.setting("devices"), MOST_DEVICES));
        return SUCCESS;
    });
}

DRIVER_CALL cuDeviceGet(int* device, int ordinal) {
    return about(ordinal, [&](World&, Device&) {
        *device = ordinal;
        return SUCCESS;
    });
}

DRIVER_CALL cuDeviceGetName(char* name, int bytes, int ordinal) {
    return about(ordinal, [&](World&, Device&) {
        std::snprintf(name, static_cast<std::size_t>(bytes), "Emulated GPU %d", ordinal);
        return SUCCESS;
    });
}

static int uuid(unsigned char* sixteen, int ordinal) {
    return about(ordinal, [&](World&, Device&) {
        std::memcpy(sixteen, "emulated device", 15);
        sixteen[15] = static_cast<unsigned char>(ordinal);
        return SUCCESS;
    });
}

DRIVER_CALL cuDeviceGetUuid(unsigned char* sixteen, int ordinal) { return uuid(sixteen, ordinal); }

DRIVER_CALL cuDeviceGetUuid_v2(unsigned char* sixteen, int ordinal) { return uuid(sixteen, ordinal); }

DRIVER_CALL cuDeviceGetPCIBusId(char* text, int bytes, int ordinal) {
    return about(ordinal, [&](World&, Device&) {
        std::snprintf(text, static_cast<std::size_t>(bytes), "0000:%02X:00.0", static_cast<unsigned>(ordinal + 1));
        return SUCCESS;
    });
}

DRIVER_CALL cuDeviceTotalMem_v2(std::size_t* bytes, int ordinal) {
    return about(ordinal, [&](World& world, Device&) {
        *bytes = static_cast<std::size_t>(world.setting("memory_bytes"));
        return SUCCESS;
    });
}

DRIVER_CALL cuDeviceGetAttribute(int* value, int which, int ordinal) {
    return about(ordinal, [&](World& world, Device& device) { return attribute(world, device, which, value); });
}

DRIVER_CALL cuDeviceCanAccessPeer(int* can, int ordinal, int other) {
    return about(ordinal, [&](World& world, Device&) -> int {
        *can = ordinal != other ? 1 : 0;
        return device(world, other) == nullptr ? INVALID_DEVICE : SUCCESS;
    });
}

DRIVER_CALL cuDevicePrimaryCtxRetain(Handle* context, int ordinal) {
    return about(ordinal, [&](World&, Device& device) {
        device.retained++;
        *context = &device;
        return device.sticky;
    });
}

DRIVER_CALL cuDevicePrimaryCtxRelease_v2(int ordinal) {
    return answer(Needs::DRIVER, [&](World& world, Lock& lock) -> int {
        Device* which = device(world, ordinal);
        if (which == nullptr) {
            return INVALID_DEVICE;
        }
        if (which->retained == 0) {
            return INVALID_CONTEXT;
        }
        if (--which->retained == 0) {
            destroyContext(world, lock, *which);
        }
        return SUCCESS;
    });
}

DRIVER_CALL cuDevicePrimaryCtxGetState(int ordinal, unsigned* flags, int* active) {
    return about(ordinal, [&](World&, Device& device) {
        *flags = 0;
        *active = device.retained > 0 ? 1 : 0;
        return SUCCESS;
    });
}

DRIVER_CALL cuDevicePrimaryCtxSetFlags_v2(int ordinal, unsigned) {
    return about(ordinal, [](World&, Device&) { return SUCCESS; });
}

DRIVER_CALL cuCtxSetCurrent(Handle context) {
    return answer(Needs::DRIVER, [&](World& world, Lock&) -> int {
        Device* wanted = static_cast<Device*>(context);
        if (wanted != nullptr && (wanted < world.devices || wanted >= world.devices + MOST_DEVICES || wanted->retained == 0)) {
            return INVALID_CONTEXT;
        }
        currentDevice = wanted;
        return SUCCESS;
    });
}

DRIVER_CALL cuCtxGetCurrent(Handle* context) {
    return answer(Needs::DRIVER, [&](World&, Lock&) {
        *context = currentDevice;
        return SUCCESS;
    });
}

DRIVER_CALL cuCtxGetDevice(int* ordinal) {
    return answer(Needs::CONTEXT, [&](World&, Lock&) {
        *ordinal = currentDevice->ordinal;
        return SUCCESS;
    });
}

DRIVER_CALL cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    return answer(Needs::CONTEXT, [&](World&, Lock&) {
        *least = 0;
        *greatest = -5;
        return SUCCESS;
    });
}

DRIVER_CALL cuCtxEnablePeerAccess(Handle context, unsigned) {
    return answer(Needs::CONTEXT, [&](World&, Lock&) -> int {
        return currentDevice->peers.insert(static_cast<Device*>(context)).second ? SUCCESS : PEER_ACCESS_ALREADY_ENABLED;
    });
}

DRIVER_CALL cuCtxSynchronize() {
    return answer(Needs::CONTEXT, [](World& world, Lock& lock) {
        if (int forbidden = world.forbiddenWhileCapturing()) {
            return forbidden;
        }
        Device& device = *currentDevice;
        world.waitUntilIdle(lock, device);
        world.checkFences(device);
        return device.sticky;
    });
}
