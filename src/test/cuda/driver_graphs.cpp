// Capture of streams into graphs, and their launch.
#include <algorithm>

#include "driver_world.h"

using namespace driver;

namespace {
enum Mode { GLOBAL = 0, THREAD_LOCAL = 1, RELAXED = 2 };

// Whether whoever began the capture waits, at its end, for everything that any stream did in it.
bool isJoined(const Capture& capture) {
    const CaptureClock& known = capture.origin->clock;
    return std::all_of(capture.streams.begin(), capture.streams.end(), [&](const std::shared_ptr<Stream>& stream) {
        auto own = stream->clock.find(stream.get());
        auto reached = known.find(stream.get());
        return own == stream->clock.end() || (reached != known.end() && reached->second >= own->second);
    });
}

int stateOf(const Capture& capture) {
    return capture.invalid ? STREAM_CAPTURE_INVALIDATED : isJoined(capture) ? SUCCESS : STREAM_CAPTURE_UNJOINED;
}

// Answers about what the handle names in one of the world's collections.
template <typename T, typename F>
int about(Handles<T> World::*collection, Handle handle, F body) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) {
        std::shared_ptr<T> object = (world.*collection).find(handle);
        return object == nullptr ? static_cast<int>(INVALID_VALUE) : body(world, object);
    });
}
}

void World::dissolve(const std::shared_ptr<Capture>& ended) {
    // Its own pointer: the caller's may be one of those that this clears.
    std::shared_ptr<Capture> capture = ended;
    for (const auto& stream : capture->streams) {
        stream->capture = nullptr;
        stream->clock.clear();
    }
    for (const auto& [handle, event] : events.objects) {
        if (event->capture == capture) {
            event->capture = nullptr;
        }
    }
    std::erase(captures, capture);
    // A capture and its streams hold each other.
    capture->streams.clear();
    capture->origin = nullptr;
}

void World::submit(const std::shared_ptr<Stream>& stream, Work work) {
    if (stream->capture == nullptr) {
        enqueue(stream, std::move(work));
        return;
    }
    stream->capture->graph.nodes.push_back(std::move(work));
    stream->clock[stream.get()]++;
}

int World::forbiddenWhileCapturing() {
    int code = SUCCESS;
    for (const auto& capture : captures) {
        if (capture->mode == GLOBAL || (capture->mode == THREAD_LOCAL && capture->thread == std::this_thread::get_id())) {
            capture->invalid = true;
            code = STREAM_CAPTURE_UNSUPPORTED;
        }
    }
    return code;
}

DRIVER_CALL cuStreamBeginCapture_v2(Handle handle, int mode) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        std::shared_ptr<Stream> stream = world.stream(handle);
        if (stream == nullptr) {
            return INVALID_HANDLE;
        }
        if (stream->isDefault) {
            return STREAM_CAPTURE_UNSUPPORTED;
        }
        if (stream->capture != nullptr || mode < GLOBAL || mode > RELAXED) {
            return INVALID_VALUE;
        }
        auto capture = std::make_shared<Capture>();
        capture->mode = mode;
        capture->thread = std::this_thread::get_id();
        capture->origin = stream;
        capture->streams.insert(stream);
        capture->graph.device = stream->device;
        stream->capture = capture;
        stream->clock.clear();
        world.captures.push_back(capture);
        return SUCCESS;
    });
}

DRIVER_CALL cuStreamEndCapture(Handle handle, Handle* graph) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        std::shared_ptr<Stream> stream = world.stream(handle);
        *graph = nullptr;
        if (stream == nullptr) {
            return INVALID_HANDLE;
        }
        std::shared_ptr<Capture> capture = stream->capture;
        if (capture == nullptr) {
            return INVALID_VALUE;
        }
        if (capture->origin != stream) {
            return STREAM_CAPTURE_UNMATCHED;
        }
        if (capture->mode != RELAXED && capture->thread != std::this_thread::get_id()) {
            return STREAM_CAPTURE_WRONG_THREAD;
        }
        int code = stateOf(*capture);
        world.dissolve(capture);
        if (code == SUCCESS) {
            *graph = world.graphs.add(std::make_shared<Graph>(capture->graph));
        }
        return code;
    });
}

DRIVER_CALL cuStreamIsCapturing(Handle handle, int* status) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        std::shared_ptr<Stream> stream = world.stream(handle);
        if (stream == nullptr) {
            return INVALID_HANDLE;
        }
        *status = stream->capture == nullptr ? 0 : stream->capture->invalid ? 2 : 1;
        return SUCCESS;
    });
}

DRIVER_CALL cuGraphInstantiateWithFlags(Handle* executable, Handle handle, unsigned long long) {
    return about(&World::graphs, handle, [&](World& world, const std::shared_ptr<Graph>& graph) {
        *executable = world.executables.add(std::make_shared<Graph>(*graph));
        return SUCCESS;
    });
}

DRIVER_CALL cuGraphGetNodes(Handle handle, Handle*, std::size_t* count) {
    return about(&World::graphs, handle, [&](World&, const std::shared_ptr<Graph>& graph) {
        *count = graph->nodes.size();
        return SUCCESS;
    });
}

DRIVER_CALL cuGraphUpload(Handle executable, Handle) {
    return about(&World::executables, executable, [](World&, const std::shared_ptr<Graph>&) { return SUCCESS; });
}

DRIVER_CALL cuGraphLaunch(Handle executable, Handle streamHandle) {
    return about(&World::executables, executable, [&](World& world, const std::shared_ptr<Graph>& graph) -> int {
        std::shared_ptr<Stream> stream = world.stream(streamHandle);
        if (stream == nullptr) {
            return INVALID_HANDLE;
        }
        world.counts["graph_launches"]++;
        world.submit(stream, [graph](Lock& lock) { World::get().run(graph->nodes, lock); });
        return SUCCESS;
    });
}

DRIVER_CALL cuGraphDestroy(Handle graph) {
    return about(&World::graphs, graph, [&](World& world, const std::shared_ptr<Graph>&) -> int {
        return world.graphs.remove(graph) ? SUCCESS : INVALID_VALUE;
    });
}

DRIVER_CALL cuGraphExecDestroy(Handle executable) {
    return about(&World::executables, executable, [&](World& world, const std::shared_ptr<Graph>&) -> int {
        return world.executables.remove(executable) ? SUCCESS : INVALID_VALUE;
    });
}
