// Streams with a thread each, and the events that order them.
#include <algorithm>
#include <thread>

#include "driver_world.h"

using namespace driver;

namespace {
constexpr int GREATEST_PRIORITY = -5;
constexpr unsigned NON_BLOCKING = 1;
constexpr unsigned DISABLE_TIMING = 2;

void serve(std::shared_ptr<Stream> stream) {
    World& world = World::get();
    Lock lock(world.mutex);
    for (;;) {
        stream->wake.wait(lock, [&] { return !stream->queue.empty() || stream->closing; });
        if (stream->queue.empty()) {
            return;
        }
        Work work = std::move(stream->queue.front());
        stream->queue.pop_front();
        stream->busy = true;
        work(lock);
        stream->busy = false;
        if (stream->queue.empty()) {
            world.changed.notify_all();
        }
    }
}

Work waiting(std::shared_ptr<Moment> moment) {
    return [moment = std::move(moment)](Lock& lock) { World::get().changed.wait(lock, [&] { return moment->done; }); };
}

std::vector<std::shared_ptr<Stream>> streamsOf(World& world, const Device& device) {
    std::vector<std::shared_ptr<Stream>> all;
    for (const auto& [handle, stream] : world.streams.objects) {
        if (stream->device == &device) {
            all.push_back(stream);
        }
    }
    if (device.defaultStream != nullptr) {
        all.push_back(device.defaultStream);
    }
    all.insert(all.end(), device.retiring.begin(), device.retiring.end());
    return all;
}

Work reaching(std::shared_ptr<Moment> moment) {
    return [moment = std::move(moment)](Lock&) {
        moment->at = std::chrono::steady_clock::now();
        moment->done = true;
        World::get().changed.notify_all();
    };
}

// The call ends a capture where the stream is capturing.
int invalidated(const std::shared_ptr<Stream>& stream) {
    if (stream->capture == nullptr) {
        return SUCCESS;
    }
    stream->capture->invalid = true;
    return STREAM_CAPTURE_UNSUPPORTED;
}

// Answers about a live stream.
template <typename F>
int about(Handle handle, F body) {
    return answer(Needs::CONTEXT, [&](World& world, Lock& lock) {
        std::shared_ptr<Stream> stream = world.stream(handle);
        return stream == nullptr ? static_cast<int>(INVALID_HANDLE) : body(world, lock, stream);
    });
}

// Answers about a live event, which must not be part of a capture.
template <typename F>
int aboutEvent(Handle handle, F body) {
    return answer(Needs::CONTEXT, [&](World& world, Lock& lock) -> int {
        std::shared_ptr<Event> event = world.events.find(handle);
        if (event == nullptr) {
            return INVALID_HANDLE;
        }
        if (event->capture != nullptr) {
            event->capture->invalid = true;
            return CAPTURED_EVENT;
        }
        return body(world, lock, *event);
    });
}

void learn(CaptureClock& clock, const CaptureClock& other) {
    for (const auto& [stream, reached] : other) {
        clock[stream] = std::max(clock[stream], reached);
    }
}

int waitInCapture(const std::shared_ptr<Stream>& stream, const Event& event) {
    if (event.capture == nullptr) {
        stream->capture->invalid = true;
        return STREAM_CAPTURE_ISOLATION;
    }
    if (stream->capture != nullptr && stream->capture != event.capture) {
        stream->capture->invalid = event.capture->invalid = true;
        return STREAM_CAPTURE_MERGE;
    }
    if (stream->capture == nullptr) {
        stream->capture = event.capture;
        stream->capture->streams.insert(stream);
        stream->clock.clear();
    }
    learn(stream->clock, event.clock);
    return SUCCESS;
}
}

std::shared_ptr<Stream> World::open(Device& device, unsigned flags, int priority) {
    auto stream = std::make_shared<Stream>();
    stream->device = &device;
    stream->flags = flags;
    stream->priority = std::clamp(priority, GREATEST_PRIORITY, 0);
    std::thread(serve, stream).detach();
    return stream;
}

std::shared_ptr<Stream> World::stream(Handle handle) {
    if (reinterpret_cast<std::uintptr_t>(handle) > 2) {
        return streams.find(handle);
    }
    Device& device = *currentDevice;
    if (device.defaultStream == nullptr) {
        device.defaultStream = open(device, 0, 0);
        device.defaultStream->isDefault = true;
    }
    return device.defaultStream;
}

void World::close(const std::shared_ptr<Stream>& stream) {
    stream->closing = true;
    stream->wake.notify_one();
}

void World::enqueue(const std::shared_ptr<Stream>& stream, Work work) {
    // The default stream waits for every stream that is not NON_BLOCKING, and they for it.
    for (const auto& other : streamsOf(*this, *stream->device)) {
        bool together = stream->isDefault ? (other->flags & NON_BLOCKING) == 0
                                          : other->isDefault && (stream->flags & NON_BLOCKING) == 0;
        if (together && other != stream && !other->idle()) {
            auto moment = std::make_shared<Moment>();
            other->queue.push_back(reaching(moment));
            stream->queue.push_back(waiting(moment));
        }
    }
    stream->queue.push_back(std::move(work));
    stream->wake.notify_one();
}

std::shared_ptr<Moment> World::mark(const std::shared_ptr<Stream>& stream) {
    auto moment = std::make_shared<Moment>();
    enqueue(stream, reaching(moment));
    return moment;
}

void World::waitUntilIdle(Lock& lock, Device& device) {
    changed.wait(lock, [&] {
        std::vector<std::shared_ptr<Stream>> all = streamsOf(*this, device);
        return std::all_of(all.begin(), all.end(), [](const auto& stream) { return stream->idle(); });
    });
}

DRIVER_CALL cuStreamCreateWithPriority(Handle* handle, unsigned flags, int priority) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) {
        *handle = world.streams.add(world.open(*currentDevice, flags, priority));
        return SUCCESS;
    });
}

DRIVER_CALL cuStreamCreate(Handle* handle, unsigned flags) { return cuStreamCreateWithPriority(handle, flags, 0); }

DRIVER_CALL cuStreamDestroy_v2(Handle handle) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        std::shared_ptr<Stream> stream = world.streams.find(handle);
        if (stream == nullptr) {
            return INVALID_HANDLE;
        }
        if (stream->capture != nullptr) {
            world.dissolve(stream->capture);
        }
        world.close(stream);
        world.streams.remove(handle);
        std::vector<std::shared_ptr<Stream>>& retiring = stream->device->retiring;
        std::erase_if(retiring, [](const auto& other) { return other->idle(); });
        retiring.push_back(stream);
        return SUCCESS;
    });
}

DRIVER_CALL cuStreamSynchronize(Handle handle) {
    return about(handle, [](World& world, Lock& lock, const std::shared_ptr<Stream>& stream) {
        if (int code = invalidated(stream)) {
            return code;
        }
        std::shared_ptr<Moment> end = world.mark(stream);
        world.changed.wait(lock, [&] { return end->done; });
        world.checkFences(*stream->device);
        return stream->device->sticky;
    });
}

DRIVER_CALL cuStreamQuery(Handle handle) {
    return about(handle, [](World&, Lock&, const std::shared_ptr<Stream>& stream) -> int {
        if (int code = invalidated(stream)) {
            return code;
        }
        return stream->idle() ? SUCCESS : NOT_READY;
    });
}

DRIVER_CALL cuStreamGetPriority(Handle handle, int* priority) {
    return about(handle, [&](World&, Lock&, const std::shared_ptr<Stream>& stream) {
        *priority = stream->priority;
        return SUCCESS;
    });
}

DRIVER_CALL cuStreamGetFlags(Handle handle, unsigned* flags) {
    return about(handle, [&](World&, Lock&, const std::shared_ptr<Stream>& stream) {
        *flags = stream->flags;
        return SUCCESS;
    });
}

DRIVER_CALL cuStreamWaitEvent(Handle handle, Handle eventHandle, unsigned) {
    return about(handle, [&](World& world, Lock&, const std::shared_ptr<Stream>& stream) -> int {
        std::shared_ptr<Event> event = world.events.find(eventHandle);
        if (event == nullptr) {
            return INVALID_HANDLE;
        }
        if (stream->capture != nullptr || event->capture != nullptr) {
            return waitInCapture(stream, *event);
        }
        if (event->moment != nullptr) {
            world.enqueue(stream, waiting(event->moment));
        }
        return SUCCESS;
    });
}

DRIVER_CALL cuEventCreate(Handle* handle, unsigned flags) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) {
        auto event = std::make_shared<Event>();
        event->flags = flags;
        *handle = world.events.add(event);
        return SUCCESS;
    });
}

DRIVER_CALL cuEventDestroy_v2(Handle handle) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        return world.events.remove(handle) ? SUCCESS : INVALID_HANDLE;
    });
}

DRIVER_CALL cuEventRecord(Handle handle, Handle streamHandle) {
    return about(streamHandle, [&](World& world, Lock&, const std::shared_ptr<Stream>& stream) -> int {
        std::shared_ptr<Event> event = world.events.find(handle);
        if (event == nullptr) {
            return INVALID_HANDLE;
        }
        event->capture = stream->capture;
        if (stream->capture != nullptr) {
            event->clock = stream->clock;
        } else {
            event->moment = world.mark(stream);
        }
        return SUCCESS;
    });
}

DRIVER_CALL cuEventQuery(Handle handle) {
    return aboutEvent(handle, [](World& world, Lock&, const Event& event) -> int {
        if (int forbidden = world.forbiddenWhileCapturing()) {
            return forbidden;
        }
        return event.moment == nullptr || event.moment->done ? SUCCESS : NOT_READY;
    });
}

DRIVER_CALL cuEventSynchronize(Handle handle) {
    return aboutEvent(handle, [](World& world, Lock& lock, const Event& event) {
        if (int forbidden = world.forbiddenWhileCapturing()) {
            return forbidden;
        }
        if (std::shared_ptr<Moment> moment = event.moment) {
            world.changed.wait(lock, [&] { return moment->done; });
            if (world.setting("late_host") != 0) {
                world.waitUntilIdle(lock, *currentDevice);
            }
        }
        return currentDevice->sticky;
    });
}

DRIVER_CALL cuEventElapsedTime(float* milliseconds, Handle from, Handle to) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        std::shared_ptr<Event> first = world.events.find(from);
        std::shared_ptr<Event> second = world.events.find(to);
        for (const auto& event : {first, second}) {
            if (event == nullptr || event->moment == nullptr || (event->flags & DISABLE_TIMING) != 0) {
                return INVALID_HANDLE;
            }
        }
        if (!first->moment->done || !second->moment->done) {
            return NOT_READY;
        }
        *milliseconds = std::chrono::duration<float, std::milli>(second->moment->at - first->moment->at).count();
        return SUCCESS;
    });
}
