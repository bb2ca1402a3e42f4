// Calls for libraries that compute on the emulated device, as cuBLASLt does.
#include "emulated_library.h"

#include "driver_world.h"

using namespace driver;

DRIVER_CALL emulated_enqueue(
        Handle handle, const char* name, const emulated::Range* ranges, int count, const std::function<void()>& work) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        std::shared_ptr<Stream> stream = world.stream(handle);
        if (stream == nullptr) {
            return INVALID_HANDLE;
        }
        if (stream->capture != nullptr) {
            stream->capture->invalid = true;
            return STREAM_CAPTURE_UNSUPPORTED;
        }
        for (int i = 0; i < count; i++) {
            if (world.holding(ranges[i].address, ranges[i].bytes) == nullptr) {
                return INVALID_VALUE;
            }
        }
        Work run = outsideOfTheLock(*stream->device, work);
        world.enqueue(stream, [run, called = "launches of " + std::string(name)](Lock& lock) {
            World::get().counts[called]++;
            run(lock);
        });
        return SUCCESS;
    });
}

DRIVER_CALL emulated_count(const char* name, long long more) {
    World& world = World::get();
    Lock lock(world.mutex);
    world.counts[name] += more;
    return SUCCESS;
}

// Whether a context is current on this thread.
DRIVER_CALL emulated_current() { return currentDevice != nullptr && currentDevice->retained > 0 ? 1 : 0; }
