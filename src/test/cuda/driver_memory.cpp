// Device memory behind guard pages, pinned host memory, copies and fills.
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "driver_world.h"

using namespace driver;

namespace {
constexpr std::size_t ALIGNMENT = 256;
constexpr std::size_t PAGE = 4096;
constexpr std::size_t MOST_POISONED_BYTES = 16 << 20;
constexpr unsigned char FENCE = 0xcd;
// Not a number in every format there is, and no valid index.
constexpr unsigned char UNINITIALISED = 0xff;

std::size_t roundUp(std::size_t bytes, std::size_t multiple) { return (bytes + multiple - 1) / multiple * multiple; }

std::size_t fenceBytes(const Allocation& allocation) { return roundUp(allocation.bytes, ALIGNMENT) - allocation.bytes; }

bool fenceStands(const Allocation& allocation) {
    const unsigned char* fence = allocation.begin + allocation.bytes;
    return std::all_of(fence, fence + fenceBytes(allocation), [](unsigned char byte) { return byte == FENCE; });
}

// Whether the next one of what this setting counts down must fail.
bool failsNow(World& world, const char* setting) {
    long long& left = world.settings[setting];
    return left > 0 && --left == 0;
}

void* at(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

bool isPinned(const World& world, const void* host, std::size_t bytes) {
    auto address = reinterpret_cast<std::uintptr_t>(host);
    auto after = world.pinned.upper_bound(address);
    if (after == world.pinned.begin()) {
        return false;
    }
    --after;
    return address + bytes <= after->first + after->second;
}

// Work on device memory that may be gone when its turn comes, as in a graph: then the device faults.
Work onMemory(Device& device, std::vector<std::pair<std::uintptr_t, std::size_t>> touched, std::function<void()> work) {
    Work run = outsideOfTheLock(device, std::move(work));
    return [&device, touched = std::move(touched), run = std::move(run)](Lock& lock) {
        World& world = World::get();
        for (const auto& [address, bytes] : touched) {
            if (world.holding(address, bytes) == nullptr) {
                world.kill(device, ILLEGAL_ADDRESS, "A copy ran after its device memory had been freed.");
            }
        }
        run(lock);
    };
}

struct Copy {
    std::uintptr_t to;
    std::uintptr_t from;
    std::size_t bytes;
    bool toDevice;
    bool fromDevice;
};

int wrong(const World& world, const Copy& copy) {
    bool held = (!copy.toDevice || world.holding(copy.to, copy.bytes) != nullptr)
            && (!copy.fromDevice || world.holding(copy.from, copy.bytes) != nullptr);
    return held && copy.to != 0 && copy.from != 0 ? SUCCESS : INVALID_VALUE;
}

Work toWork(Device& device, const Copy& copy, std::shared_ptr<std::vector<unsigned char>> staged) {
    std::vector<std::pair<std::uintptr_t, std::size_t>> touched;
    if (copy.toDevice) {
        touched.emplace_back(copy.to, copy.bytes);
    }
    if (copy.fromDevice) {
        touched.emplace_back(copy.from, copy.bytes);
    }
    return onMemory(device, std::move(touched), [copy, staged] {
        std::memmove(at(copy.to), staged != nullptr ? staged->data() : at(copy.from), copy.bytes);
    });
}

int waitFor(World& world, Lock& lock, const std::shared_ptr<Moment>& moment) {
    world.changed.wait(lock, [&] { return moment->done; });
    return currentDevice->sticky;
}

// A copy in a stream. Host memory that is not pinned is read before the call returns, or written before, as drivers do.
int copyAsync(const Copy& copy, Handle handle) {
    return answer(Needs::CONTEXT, [&](World& world, Lock& lock) -> int {
        std::shared_ptr<Stream> stream = world.stream(handle);
        if (stream == nullptr) {
            return INVALID_HANDLE;
        }
        if (copy.bytes == 0) {
            return SUCCESS;
        }
        if (int code = wrong(world, copy)) {
            return code;
        }
        std::shared_ptr<std::vector<unsigned char>> staged;
        bool capturing = stream->capture != nullptr;
        world.counts["copies"]++;
        if (!capturing && !copy.fromDevice && !isPinned(world, at(copy.from), copy.bytes)) {
            const unsigned char* from = static_cast<const unsigned char*>(at(copy.from));
            staged = std::make_shared<std::vector<unsigned char>>(from, from + copy.bytes);
        }
        world.submit(stream, toWork(*stream->device, copy, staged));
        bool mustWait = !capturing && !copy.toDevice && !isPinned(world, at(copy.to), copy.bytes);
        return mustWait ? waitFor(world, lock, world.mark(stream)) : SUCCESS;
    });
}

int copyNow(const Copy& copy) {
    return answer(Needs::CONTEXT, [&](World& world, Lock& lock) {
        int code = world.forbiddenWhileCapturing();
        if (code != SUCCESS || copy.bytes == 0) {
            return code;
        }
        code = wrong(world, copy);
        if (code != SUCCESS) {
            return code;
        }
        std::shared_ptr<Stream> stream = world.stream(nullptr);
        world.enqueue(stream, toWork(*stream->device, copy, nullptr));
        return waitFor(world, lock, world.mark(stream));
    });
}

template <typename T>
int fill(std::uintptr_t to, T value, std::size_t count, bool now, Handle handle) {
    return answer(Needs::CONTEXT, [&](World& world, Lock& lock) -> int {
        std::shared_ptr<Stream> stream = world.stream(handle);
        if (stream == nullptr) {
            return INVALID_HANDLE;
        }
        if (int forbidden = now ? world.forbiddenWhileCapturing() : SUCCESS) {
            return forbidden;
        }
        if (count == 0) {
            return SUCCESS;
        }
        if (to % sizeof(T) != 0 || count > SIZE_MAX / sizeof(T) || world.holding(to, count * sizeof(T)) == nullptr) {
            return INVALID_VALUE;
        }
        world.submit(stream, onMemory(*stream->device, {{to, count * sizeof(T)}},
                [to, value, count] { std::fill_n(static_cast<T*>(at(to)), count, value); }));
        // Even the calls that are named synchronous do not wait for fills of device memory.
        return SUCCESS;
    });
}

std::uintptr_t address(const void* host) { return reinterpret_cast<std::uintptr_t>(host); }
}

const Allocation* World::holding(std::uintptr_t address, std::size_t bytes) const {
    auto after = allocations.upper_bound(address);
    if (after == allocations.begin()) {
        return nullptr;
    }
    const Allocation& allocation = std::prev(after)->second;
    std::size_t offset = address - std::prev(after)->first;
    return offset <= allocation.bytes && bytes <= allocation.bytes - offset ? &allocation : nullptr;
}

int World::allocate(Device& device, std::size_t bytes, std::uintptr_t* result) {
    std::size_t total = static_cast<std::size_t>(setting("memory_bytes"));
    if (failsNow(*this, "fail_allocation") || bytes > total || roundUp(bytes, ALIGNMENT) > total - device.usedBytes) {
        return OUT_OF_MEMORY;
    }
    std::size_t used = roundUp(bytes, ALIGNMENT);
    std::size_t mappingBytes = roundUp(used, PAGE) + 2 * PAGE;
    void* mapping = mmap(nullptr, mappingBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) {
        return OUT_OF_MEMORY;
    }
    unsigned char* first = static_cast<unsigned char*>(mapping);
    if (mprotect(first + PAGE, mappingBytes - 2 * PAGE, PROT_READ | PROT_WRITE) != 0) {
        munmap(mapping, mappingBytes);
        return OUT_OF_MEMORY;
    }
    // It ends where the guard page begins.
    Allocation allocation{&device, first + mappingBytes - PAGE - used, bytes, first, mappingBytes};
    std::memset(allocation.begin, UNINITIALISED, std::min(bytes, MOST_POISONED_BYTES));
    std::memset(allocation.begin + bytes, FENCE, fenceBytes(allocation));
    *result = address(allocation.begin);
    allocations.emplace(*result, allocation);
    device.usedBytes += used;
    return SUCCESS;
}

void World::release(const Allocation& gone) {
    Allocation allocation = gone;
    allocations.erase(address(allocation.begin));
    allocation.device->usedBytes -= roundUp(allocation.bytes, ALIGNMENT);
    // The addresses stay taken, so that whoever still uses them is found out.
    mmap(allocation.mapping, allocation.mappingBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void World::checkFences(Device& device) {
    for (const auto& [begin, allocation] : allocations) {
        if (allocation.device == &device && !fenceStands(allocation)) {
            kill(device, ILLEGAL_ADDRESS,
                    "A kernel wrote behind an allocation of " + std::to_string(allocation.bytes) + " bytes.");
        }
    }
}

DRIVER_CALL cuMemAlloc_v2(std::uintptr_t* result, std::size_t bytes) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        if (int forbidden = world.forbiddenWhileCapturing()) {
            return forbidden;
        }
        return bytes == 0 ? INVALID_VALUE : world.allocate(*currentDevice, bytes, result);
    });
}

DRIVER_CALL cuMemFree_v2(std::uintptr_t begin) {
    return answer(Needs::CONTEXT, [&](World& world, Lock& lock) -> int {
        if (int forbidden = world.forbiddenWhileCapturing()) {
            return forbidden;
        }
        if (begin == 0) {
            return SUCCESS;
        }
        auto found = world.allocations.find(begin);
        if (found == world.allocations.end()) {
            return INVALID_VALUE;
        }
        Device& device = *found->second.device;
        world.waitUntilIdle(lock, device);
        world.checkFences(device);
        found = world.allocations.find(begin);
        if (found != world.allocations.end()) {
            world.release(found->second);
        }
        return currentDevice->sticky;
    });
}

DRIVER_CALL cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) {
        *total = static_cast<std::size_t>(world.setting("memory_bytes"));
        *free = *total - std::min(*total, currentDevice->usedBytes);
        return SUCCESS;
    });
}

DRIVER_CALL cuMemHostAlloc(void** result, std::size_t bytes, unsigned) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        if (int forbidden = world.forbiddenWhileCapturing()) {
            return forbidden;
        }
        if (bytes == 0) {
            return INVALID_VALUE;
        }
        if (failsNow(world, "fail_host_allocation") || posix_memalign(result, PAGE, bytes) != 0) {
            return OUT_OF_MEMORY;
        }
        std::memset(*result, UNINITIALISED, std::min(bytes, MOST_POISONED_BYTES));
        world.pinned.emplace(address(*result), bytes);
        return SUCCESS;
    });
}

DRIVER_CALL cuMemAllocHost_v2(void** result, std::size_t bytes) { return cuMemHostAlloc(result, bytes, 0); }

DRIVER_CALL cuMemFreeHost(void* host) {
    return answer(Needs::CONTEXT, [&](World& world, Lock& lock) -> int {
        if (int forbidden = world.forbiddenWhileCapturing()) {
            return forbidden;
        }
        world.waitUntilIdle(lock, *currentDevice);
        if (world.pinned.erase(address(host)) == 0) {
            return INVALID_VALUE;
        }
        std::free(host);
        return SUCCESS;
    });
}

DRIVER_CALL cuMemHostGetDevicePointer_v2(std::uintptr_t* device, void* host, unsigned) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        *device = address(host);
        return isPinned(world, host, 1) ? SUCCESS : INVALID_VALUE;
    });
}

DRIVER_CALL cuMemcpyHtoDAsync_v2(std::uintptr_t to, const void* from, std::size_t bytes, Handle stream) {
    return copyAsync({to, address(from), bytes, true, false}, stream);
}

DRIVER_CALL cuMemcpyDtoHAsync_v2(void* to, std::uintptr_t from, std::size_t bytes, Handle stream) {
    return copyAsync({address(to), from, bytes, false, true}, stream);
}

DRIVER_CALL cuMemcpyDtoDAsync_v2(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, Handle stream) {
    return copyAsync({to, from, bytes, true, true}, stream);
}

DRIVER_CALL cuMemcpyPeerAsync(std::uintptr_t to, Handle, std::uintptr_t from, Handle, std::size_t bytes, Handle stream) {
    return copyAsync({to, from, bytes, true, true}, stream);
}

DRIVER_CALL cuMemcpyHtoD_v2(std::uintptr_t to, const void* from, std::size_t bytes) {
    return copyNow({to, address(from), bytes, true, false});
}

DRIVER_CALL cuMemcpyDtoH_v2(void* to, std::uintptr_t from, std::size_t bytes) {
    return copyNow({address(to), from, bytes, false, true});
}

DRIVER_CALL cuMemcpyDtoD_v2(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
    return copyNow({to, from, bytes, true, true});
}

DRIVER_CALL cuMemsetD8Async(std::uintptr_t to, unsigned char value, std::size_t count, Handle stream) {
    return fill(to, value, count, false, stream);
}

DRIVER_CALL cuMemsetD32Async(std::uintptr_t to, unsigned value, std::size_t count, Handle stream) {
    return fill(to, value, count, false, stream);
}

DRIVER_CALL cuMemsetD8_v2(std::uintptr_t to, unsigned char value, std::size_t count) {
    return fill(to, value, count, true, nullptr);
}

DRIVER_CALL cuMemsetD32_v2(std::uintptr_t to, unsigned value, std::size_t count) {
    return fill(to, value, count, true, nullptr);
}
