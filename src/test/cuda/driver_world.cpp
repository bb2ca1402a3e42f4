// Settings, faults and counts of the emulated driver, and the calls by which tests reach them.
#include "driver_world.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace driver {
thread_local Device* currentDevice = nullptr;

namespace {
const std::map<std::string, long long> DEFAULTS = {
        {"driver_version", 13000},
        {"compute_capability", 89},
        {"devices", 1},
        {"memory_bytes", 1LL << 30},
        {"multiprocessors", 4},
        // The how manieth allocation, host allocation or kernel from now on fails; 0 for none.
        {"fail_allocation", 0},
        {"fail_host_allocation", 0},
        {"fail_launch", 0},
        {"fail_launch_with", ILLEGAL_ADDRESS},
        // What every call answers from now on; 0 for its own answer.
        {"every_call", 0},
        // Each kernel takes at least so long.
        {"kernel_micros", 0},
        // While not 0 no kernel begins.
        {"hold_kernels", 0},
        // While not 0 a host that waits for an event goes on only when its device is idle.
        {"late_host", 0},
        // What every product of the stand-in for cuBLASLt answers; 0 for its own answer.
        {"library_answers", 0},
        // Whether it gives no handle, as if the driver were too old for it.
        {"library_is_too_new", 0},
};
}

World& World::get() {
    // Never deleted: threads of streams may outlive the static objects of an ending process.
    static World& world = *new World();
    return world;
}

World::World() {
    for (int i = 0; i < MOST_DEVICES; i++) {
        devices[i].ordinal = i;
    }
    readSettings();
}

void World::readSettings() {
    settings = DEFAULTS;
    for (auto& [name, value] : settings) {
        std::string variable = "EMULATED_CUDA_" + name;
        std::transform(variable.begin(), variable.end(), variable.begin(), [](unsigned char c) { return std::toupper(c); });
        if (const char* text = std::getenv(variable.c_str())) {
            value = std::atoll(text);
        }
    }
}

void World::kill(Device& device, int code, const std::string& why) {
    if (device.sticky == SUCCESS) {
        device.sticky = code;
        said = why;
    }
    changed.notify_all();
}

void World::reset(Lock& lock) {
    settings["hold_kernels"] = 0;
    settings["kernel_micros"] = 0;
    changed.notify_all();
    for (Device& device : devices) {
        waitUntilIdle(lock, device);
        device.retained = device.sticky = 0;
        device.peers.clear();
        if (device.defaultStream != nullptr) {
            close(device.defaultStream);
            device.defaultStream = nullptr;
        }
        device.retiring.clear();
    }
    for (auto& [handle, stream] : streams.objects) {
        close(stream);
    }
    while (!allocations.empty()) {
        release(allocations.begin()->second);
    }
    for (const auto& [address, bytes] : pinned) {
        std::free(reinterpret_cast<void*>(address));
    }
    pinned.clear();
    streams.objects.clear();
    events.objects.clear();
    graphs.objects.clear();
    executables.objects.clear();
    modules.objects.clear();
    functions.objects.clear();
    while (!captures.empty()) {
        dissolve(captures.front());
    }
    counts.clear();
    said.clear();
    initialised = false;
    readSettings();
    changed.notify_all();
}

int refusal(const World& world, Needs needs) {
    if (int every = static_cast<int>(world.setting("every_call"))) {
        return every;
    }
    if (needs == Needs::NOTHING) {
        return SUCCESS;
    }
    if (!world.initialised) {
        return NOT_INITIALIZED;
    }
    if (needs == Needs::DRIVER) {
        return SUCCESS;
    }
    if (currentDevice == nullptr || currentDevice->retained == 0) {
        return INVALID_CONTEXT;
    }
    return currentDevice->sticky;
}

Work outsideOfTheLock(Device& device, std::function<void()> work) {
    return [&device, work = std::move(work)](Lock& lock) {
        if (device.sticky == SUCCESS) {
            lock.unlock();
            work();
            lock.lock();
        }
    };
}
}

using driver::Lock;
using driver::World;

// Sets what EMULATED_CUDA_NAME sets at the start; answers 1 for a name that is not one of them.
DRIVER_CALL emulated_set(const char* name, long long value) {
    World& world = World::get();
    Lock lock(world.mutex);
    auto found = world.settings.find(name);
    if (found == world.settings.end()) {
        return driver::INVALID_VALUE;
    }
    found->second = value;
    world.changed.notify_all();
    return driver::SUCCESS;
}

// A setting as it stands, or how many there are or were since the last reset of what is named.
extern "C" __attribute__((visibility("default"))) long long emulated_get(const char* name) {
    World& world = World::get();
    Lock lock(world.mutex);
    const std::map<std::string, long long> live = {
            {"live_allocations", static_cast<long long>(world.allocations.size())},
            {"live_host_allocations", static_cast<long long>(world.pinned.size())},
            {"live_streams", static_cast<long long>(world.streams.objects.size())},
            {"live_events", static_cast<long long>(world.events.objects.size())},
            {"live_graphs", static_cast<long long>(world.graphs.objects.size() + world.executables.objects.size())},
            {"live_modules", static_cast<long long>(world.modules.objects.size())},
    };
    for (const std::map<std::string, long long>* known : {&live, &std::as_const(world.settings), &std::as_const(world.counts)}) {
        auto found = known->find(name);
        if (found != known->end()) {
            return found->second;
        }
    }
    if (std::strcmp(name, "live_contexts") == 0) {
        return std::count_if(std::begin(world.devices), std::end(world.devices),
                [](const driver::Device& device) { return device.retained > 0; });
    }
    return 0;
}

// Copies the sentence that says what a kernel did wrong, or nothing, into the buffer.
DRIVER_CALL emulated_said(char* buffer, int bytes) {
    World& world = World::get();
    Lock lock(world.mutex);
    return std::snprintf(buffer, static_cast<std::size_t>(bytes), "%s", world.said.c_str());
}

DRIVER_CALL emulated_reset() {
    World& world = World::get();
    Lock lock(world.mutex);
    world.reset(lock);
    return driver::SUCCESS;
}
