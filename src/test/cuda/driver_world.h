// What the emulated driver knows: devices, memory, streams, events, graphs, modules, and what was asked of it to go wrong.
//
// One lock guards all of it; work of streams (kernels, copies) runs outside of the lock, on the stream's own thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#define DRIVER_CALL extern "C" __attribute__((visibility("default"))) int

namespace driver {
enum Code : int {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_CONTEXT = 201,
    NO_BINARY_FOR_GPU = 209,
    PEER_ACCESS_UNSUPPORTED = 217,
    INVALID_PTX = 218,
    UNSUPPORTED_PTX_VERSION = 222,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    ILLEGAL_ADDRESS = 700,
    LAUNCH_OUT_OF_RESOURCES = 701,
    PEER_ACCESS_ALREADY_ENABLED = 704,
    LAUNCH_FAILED = 719,
    NOT_SUPPORTED = 801,
    STREAM_CAPTURE_UNSUPPORTED = 900,
    STREAM_CAPTURE_INVALIDATED = 901,
    STREAM_CAPTURE_MERGE = 902,
    STREAM_CAPTURE_UNMATCHED = 903,
    STREAM_CAPTURE_UNJOINED = 904,
    STREAM_CAPTURE_ISOLATION = 905,
    CAPTURED_EVENT = 907,
    STREAM_CAPTURE_WRONG_THREAD = 908,
};

constexpr int MOST_DEVICES = 8;

using Handle = void*;
using Lock = std::unique_lock<std::mutex>;
using Work = std::function<void(Lock&)>;
using Instant = std::chrono::steady_clock::time_point;

struct Device;
struct Stream;

struct Allocation {
    Device* device;
    unsigned char* begin;
    std::size_t bytes;
    unsigned char* mapping;
    std::size_t mappingBytes;
};

// One recording of an event: what waits for the event waits for the recording that was the newest when it was asked.
struct Moment {
    bool done = false;
    Instant at;
};

// How far each stream of a capture is known to have come; what a stream knows, it waits for.
using CaptureClock = std::map<const Stream*, std::size_t>;

struct Graph {
    Device* device = nullptr;
    std::vector<Work> nodes;
};

struct Capture {
    Graph graph;
    int mode = 0;
    bool invalid = false;
    std::thread::id thread;
    std::shared_ptr<Stream> origin;
    std::set<std::shared_ptr<Stream>> streams;
};

struct Stream {
    Device* device = nullptr;
    unsigned flags = 0;
    int priority = 0;
    bool isDefault = false;
    bool busy = false;
    bool closing = false;
    std::deque<Work> queue;
    // Wakes the stream's own thread; who waits for the stream waits for the world's `changed`.
    std::condition_variable wake;
    std::shared_ptr<Capture> capture;
    CaptureClock clock;

    bool idle() const { return queue.empty() && !busy; }
};

struct Event {
    unsigned flags = 0;
    std::shared_ptr<Moment> moment;
    std::shared_ptr<Capture> capture;
    CaptureClock clock;
};

struct Module {
    Device* device = nullptr;
    std::set<std::string> entries;
};

struct Function;

// Live objects by handle. Handles are never given twice, so a stale one is always found out.
template <typename T>
class Handles {
public:
    Handle add(std::shared_ptr<T> object) {
        Handle handle = reinterpret_cast<Handle>(next += 16);
        objects.emplace(handle, std::move(object));
        return handle;
    }

    std::shared_ptr<T> find(Handle handle) const {
        auto found = objects.find(handle);
        return found == objects.end() ? nullptr : found->second;
    }

    bool remove(Handle handle) { return objects.erase(handle) != 0; }

    std::map<Handle, std::shared_ptr<T>> objects;

private:
    std::uintptr_t next = 0x10000;
};

struct Device {
    int ordinal = 0;
    int retained = 0;
    int sticky = SUCCESS;
    std::size_t usedBytes = 0;
    std::shared_ptr<Stream> defaultStream;
    // Destroyed with work left, which they still do.
    std::vector<std::shared_ptr<Stream>> retiring;
    std::set<const Device*> peers;
};

struct World {
    static World& get();

    long long setting(const std::string& name) const { return settings.at(name); }

    // Which compute capability, as major times ten plus minor.
    int capability() const { return static_cast<int>(setting("compute_capability")); }

    // Puts everything back to how a fresh process finds it; the environment is read again.
    void reset(Lock& lock);

    // Kills the context of that device as a fault on it does: from now on every call answers the code.
    void kill(Device& device, int code, const std::string& why);

    // The live allocation that holds all of these bytes, or null.
    const Allocation* holding(std::uintptr_t address, std::size_t bytes) const;
    int allocate(Device& device, std::size_t bytes, std::uintptr_t* address);
    void release(const Allocation& allocation);
    // Whether a kernel has written into the bytes behind an allocation.
    void checkFences(Device& device);

    std::shared_ptr<Stream> open(Device& device, unsigned flags, int priority);
    std::shared_ptr<Stream> stream(Handle handle);
    // Lets the stream's thread end once its work is done.
    void close(const std::shared_ptr<Stream>& stream);
    void enqueue(const std::shared_ptr<Stream>& stream, Work work);
    // Runs the nodes of a graph in order. Launches that depend on the one before start early.
    void run(const std::vector<Work>& nodes, Lock& lock);
    // Enqueues, or records where the stream is capturing.
    void submit(const std::shared_ptr<Stream>& stream, Work work);
    std::shared_ptr<Moment> mark(const std::shared_ptr<Stream>& stream);
    void waitUntilIdle(Lock& lock, Device& device);

    // Ends a capture without a graph.
    void dissolve(const std::shared_ptr<Capture>& capture);
    // 900, and the end of the captures that forbid it, where a call that may wait is made while something captures.
    int forbiddenWhileCapturing();

    std::mutex mutex;
    std::condition_variable changed;
    bool initialised = false;
    Device devices[MOST_DEVICES];
    std::map<std::string, long long> settings;
    std::map<std::string, long long> counts;
    std::string said;
    std::map<std::uintptr_t, Allocation> allocations;
    std::map<std::uintptr_t, std::size_t> pinned;
    Handles<Stream> streams;
    Handles<Event> events;
    Handles<Graph> graphs;
    Handles<Graph> executables;
    Handles<Module> modules;
    Handles<Function> functions;
    std::vector<std::shared_ptr<Capture>> captures;

private:
    World();
    void readSettings();
};

enum class Needs { NOTHING, DRIVER, CONTEXT };

// The device whose context is current on this thread, or null.
extern thread_local Device* currentDevice;

int refusal(const World& world, Needs needs);

// Answers a call under the lock, after what every call checks first.
template <typename F>
int answer(Needs needs, F body) {
    World& world = World::get();
    Lock lock(world.mutex);
    int refused = refusal(world, needs);
    return refused != SUCCESS ? refused : body(world, lock);
}

// Work that needs no lock, left out once the device is dead.
Work outsideOfTheLock(Device& device, std::function<void()> work);
}
