// Modules of PTX, the kernels in them, and their launch.
//
// The PTX is checked as a driver would, for what it is and whether this driver and device take it. What runs is the
// kernel of that name which the C++ compiler made of the same source.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <sstream>

#include "driver_world.h"
#include "emulated_block.h"

namespace driver {
struct Function {
    const emulated::Kernel* kernel;
    int sharedBytes = 48 << 10;
};
}

using namespace driver;

namespace {
constexpr unsigned PROGRAMMATIC_STREAM_SERIALIZATION = 6;
constexpr std::size_t MOST_EARLY = 4;

// As in cuda.h.
struct LaunchAttribute {
    unsigned id;
    unsigned padding;
    int allowed;
    unsigned char rest[60];
};
static_assert(sizeof(LaunchAttribute) == 72, "as in cuda.h");

struct LaunchConfig {
    unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
    Handle stream;
    const LaunchAttribute* attributes;
    unsigned count;
};
static_assert(sizeof(LaunchConfig) == 56, "as in cuda.h");

constexpr int MAX_DYNAMIC_SHARED_SIZE_BYTES = 8;
constexpr int OPT_IN_SHARED_ATTRIBUTE = 97;
constexpr int ERROR_LOG_BUFFER = 5;
constexpr int ERROR_LOG_BUFFER_BYTES = 6;

// The first driver version, as CUDA's major times 1000 plus minor times 10, that takes this version of PTX.
int driverFor(int major, int minor) {
    if (major <= 7) {
        return 11000 + 10 * (major < 7 ? 0 : minor);
    }
    if (major == 8) {
        return 12000 + 10 * (minor <= 5 ? minor : minor + 1);
    }
    return 13000 + 1000 * (major - 9) + 10 * minor;
}

// What is wrong with the text: a code and, in `log`, a sentence.
int check(const World& world, const std::string& ptx, std::set<std::string>& entries, std::string& log) {
    int major = 0;
    int minor = 0;
    int target = 0;
    bool architecture = false; // the text is for this one alone
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        const char* text = line.c_str() + std::min(line.find_first_not_of(" \t"), line.size());
        std::sscanf(text, ".version %d.%d", &major, &minor);
        char suffix = 0;
        std::sscanf(text, ".target sm_%d%c", &target, &suffix);
        architecture = architecture || suffix == 'a';
        char name[256];
        std::size_t entry = line.find(".entry ");
        if (entry != std::string::npos && std::sscanf(line.c_str() + entry, ".entry %255[A-Za-z0-9_$]", name) == 1) {
            entries.insert(name);
        }
    }
    if (major == 0 || target == 0) {
        log = "The text is not PTX: it has no .version or no .target line.";
        return INVALID_PTX;
    }
    if (driverFor(major, minor) > world.setting("driver_version")) {
        log = "PTX .version " + std::to_string(major) + "." + std::to_string(minor) + " is newer than this driver knows.";
        return UNSUPPORTED_PTX_VERSION;
    }
    if (target > world.capability()) {
        log = "PTX .target sm_" + std::to_string(target) + " is beyond the device's sm_" + std::to_string(world.capability()) + ".";
        return NO_BINARY_FOR_GPU;
    }
    if (architecture && target != world.capability()) {
        log = "PTX .target sm_" + std::to_string(target) + "a is not for the device's sm_" + std::to_string(world.capability()) + ".";
        return NO_BINARY_FOR_GPU;
    }
    return SUCCESS;
}

void writeLog(const std::string& log, unsigned count, const int* options, void** values) {
    char* buffer = nullptr;
    std::size_t bytes = 0;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == ERROR_LOG_BUFFER) {
            buffer = static_cast<char*>(values[i]);
        } else if (options[i] == ERROR_LOG_BUFFER_BYTES) {
            bytes = reinterpret_cast<std::uintptr_t>(values[i]) & 0xffffffffu;
        }
    }
    if (buffer != nullptr && bytes > 0) {
        std::snprintf(buffer, bytes, "%s", log.c_str());
    }
}

int load(Handle* handle, const void* image, unsigned count, const int* options, void** values) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        auto loaded = std::make_shared<Module>();
        loaded->device = currentDevice;
        std::string log;
        int code = check(world, static_cast<const char*>(image), loaded->entries, log);
        if (code != SUCCESS) {
            writeLog(log, count, options, values);
            return code;
        }
        *handle = world.modules.add(loaded);
        return SUCCESS;
    });
}

struct Launch {
    Device& device;
    const emulated::Kernel& kernel;
    emulated::Dim3 grid;
    emulated::Dim3 block;
    std::size_t sharedBytes;
    std::vector<std::vector<unsigned char>> parameters;
    bool dependent;

    void operator()(Lock& lock) {
        if (begins(lock)) {
            Instant end = Instant::clock::now() + std::chrono::microseconds(World::get().setting("kernel_micros"));
            lock.unlock();
            emulated::Dependence ended{[] { return true; }};
            emulated::Verdict verdict = execute(dependent ? &ended : nullptr);
            std::this_thread::sleep_until(end);
            lock.lock();
            finish(verdict);
        }
    }

    // Counts it, when its turn has come. False if it does not run.
    bool begins(Lock& lock) const {
        World& world = World::get();
        world.changed.wait(lock, [&] { return world.setting("hold_kernels") == 0 || device.sticky != SUCCESS; });
        if (device.sticky != SUCCESS) {
            return false;
        }
        world.counts["launches"]++;
        world.counts["dependent_launches"] += dependent ? 1 : 0;
        world.counts["launches of " + kernel.name]++;
        long long& left = world.settings["fail_launch"];
        if (left > 0 && --left == 0) {
            world.kill(device, static_cast<int>(world.setting("fail_launch_with")), "A launch was made to fail.");
            return false;
        }
        return true;
    }

    emulated::Verdict execute(const emulated::Dependence* dependence) {
        std::vector<void*> pointers;
        for (std::vector<unsigned char>& parameter : parameters) {
            pointers.push_back(parameter.data());
        }
        return emulated::tryLaunch(kernel, grid, block, sharedBytes, pointers.data(), dependence);
    }

    void finish(const emulated::Verdict& verdict) const {
        if (!verdict.wrong.empty()) {
            std::fprintf(stderr, "%s\n", verdict.wrong.c_str());
            World::get().kill(device, verdict.badAddress ? ILLEGAL_ADDRESS : LAUNCH_FAILED, verdict.wrong);
        }
    }
};

// A launch that has begun before its turn, on a thread of its own: all that its first block does before it waits is done
// before the launches before it. So a read or write that comes too early meets memory as it was, always.
class EarlyLaunch {
public:
    explicit EarlyLaunch(Launch& early) : launch(early), thread([this] { run(); }) {
        std::unique_lock<std::mutex> own(mutex);
        changed.wait(own, [&] { return reached; });
    }

    // Lets it go on, or give up, and waits for its end.
    emulated::Verdict finish(bool predecessorEnded) {
        {
            std::lock_guard<std::mutex> own(mutex);
            ended = predecessorEnded;
            decided = true;
        }
        changed.notify_all();
        thread.join();
        return verdict;
    }

    Launch& launch;

private:
    void run() {
        emulated::Dependence dependence{[this] {
            std::unique_lock<std::mutex> own(mutex);
            reached = true;
            changed.notify_all();
            changed.wait(own, [&] { return decided; });
            return ended;
        }};
        verdict = launch.execute(&dependence);
        std::lock_guard<std::mutex> own(mutex);
        reached = true;
        changed.notify_all();
    }

    std::mutex mutex;
    std::condition_variable changed;
    bool reached = false;
    bool decided = false;
    bool ended = false;
    emulated::Verdict verdict;
    std::thread thread;
};

// Whether the driver takes this list of attributes of a launch, and whether it makes the launch dependent.
int attributesOf(const World& world, const Stream& stream, const LaunchConfig& config, bool& dependent) {
    for (unsigned i = 0; i < config.count; i++) {
        const LaunchAttribute& attribute = config.attributes[i];
        if (attribute.id != PROGRAMMATIC_STREAM_SERIALIZATION || world.setting("driver_version") < 11080
                || world.capability() < 90) {
            return NOT_SUPPORTED;
        }
        if (stream.capture != nullptr && world.setting("driver_version") < 12030) {
            stream.capture->invalid = true;
            return STREAM_CAPTURE_UNSUPPORTED;
        }
        dependent = attribute.allowed != 0;
    }
    return SUCCESS;
}

int refused(const Function& function, emulated::Dim3 grid, emulated::Dim3 block, unsigned sharedBytes) {
    if (grid.count() == 0 || block.count() == 0 || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535
            || block.count() > 1024 || block.z > 64 || sharedBytes > static_cast<unsigned>(function.sharedBytes)) {
        return INVALID_VALUE;
    }
    return block.count() > function.kernel->mostThreads ? LAUNCH_OUT_OF_RESOURCES : SUCCESS;
}
}

// Of the driver's own calls.
DRIVER_CALL cuDeviceGetAttribute(int* value, int which, int ordinal);

DRIVER_CALL cuModuleLoadDataEx(Handle* handle, const void* image, unsigned count, int* options, void** values) {
    return load(handle, image, count, options, values);
}

DRIVER_CALL cuModuleLoadData(Handle* handle, const void* image) { return load(handle, image, 0, nullptr, nullptr); }

DRIVER_CALL cuModuleUnload(Handle handle) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        return world.modules.remove(handle) ? SUCCESS : INVALID_HANDLE;
    });
}

DRIVER_CALL cuModuleGetFunction(Handle* function, Handle handle, const char* name) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        std::shared_ptr<Module> loaded = world.modules.find(handle);
        if (loaded == nullptr) {
            return INVALID_HANDLE;
        }
        const emulated::Kernel* kernel = emulated::findKernel(name);
        if (kernel == nullptr || loaded->entries.count(name) == 0) {
            return NOT_FOUND;
        }
        emulated::catchBadAddresses();
        *function = world.functions.add(std::make_shared<Function>(Function{kernel}));
        return SUCCESS;
    });
}

// Every kernel has room for two blocks on a multiprocessor.
DRIVER_CALL cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Handle handle, int, std::size_t) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        if (blocks == nullptr) {
            return INVALID_VALUE;
        }
        if (world.functions.find(handle) == nullptr) {
            return INVALID_HANDLE;
        }
        *blocks = 2;
        return SUCCESS;
    });
}

DRIVER_CALL cuFuncSetAttribute(Handle handle, int which, int value) {
    int most = 0;
    int code = currentDevice == nullptr ? static_cast<int>(INVALID_CONTEXT)
                                        : cuDeviceGetAttribute(&most, OPT_IN_SHARED_ATTRIBUTE, currentDevice->ordinal);
    if (code != SUCCESS) {
        return code;
    }
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        std::shared_ptr<Function> function = world.functions.find(handle);
        if (function == nullptr) {
            return INVALID_HANDLE;
        }
        if (which == MAX_DYNAMIC_SHARED_SIZE_BYTES) {
            if (value < 0 || value > most) {
                return INVALID_VALUE;
            }
            function->sharedBytes = std::max(value, function->sharedBytes);
        }
        return SUCCESS;
    });
}

DRIVER_CALL cuFuncGetAttribute(int* value, int which, Handle handle) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        std::shared_ptr<Function> function = world.functions.find(handle);
        if (function == nullptr) {
            return INVALID_HANDLE;
        }
        *value = which == 0 ? static_cast<int>(function->kernel->mostThreads)
                : which == MAX_DYNAMIC_SHARED_SIZE_BYTES ? function->sharedBytes : 0;
        return SUCCESS;
    });
}

void World::run(const std::vector<Work>& nodes, Lock& lock) {
    std::deque<std::unique_ptr<EarlyLaunch>> early; // of the nodes that follow
    for (std::size_t at = 0; at < nodes.size(); at++) {
        std::unique_ptr<EarlyLaunch> own;
        if (!early.empty()) {
            own = std::move(early.front());
            early.pop_front();
        }
        lock.unlock();
        for (std::size_t next = at + 1 + early.size(); next < nodes.size() && early.size() < MOST_EARLY; next++) {
            const Launch* launch = nodes[next].target<Launch>();
            if (launch == nullptr || !launch->dependent) {
                break;
            }
            early.push_back(std::make_unique<EarlyLaunch>(const_cast<Launch&>(*launch)));
        }
        lock.lock();
        if (own == nullptr) {
            nodes[at](lock);
            continue;
        }
        bool runs = own->launch.begins(lock);
        lock.unlock();
        emulated::Verdict verdict = own->finish(runs);
        lock.lock();
        if (runs) {
            own->launch.finish(verdict);
        }
    }
}

DRIVER_CALL cuLaunchKernelEx(const LaunchConfig* config, Handle handle, void** parameters, void** extra) {
    return answer(Needs::CONTEXT, [&](World& world, Lock&) -> int {
        std::shared_ptr<Function> function = world.functions.find(handle);
        std::shared_ptr<Stream> stream = world.stream(config->stream);
        if (function == nullptr || stream == nullptr) {
            return INVALID_HANDLE;
        }
        if (extra != nullptr) {
            return NOT_SUPPORTED;
        }
        bool dependent = false;
        if (int code = attributesOf(world, *stream, *config, dependent)) {
            return code;
        }
        emulated::Dim3 grid{config->gridX, config->gridY, config->gridZ};
        emulated::Dim3 block{config->blockX, config->blockY, config->blockZ};
        int code = refused(*function, grid, block, config->sharedBytes);
        const std::vector<std::size_t>& bytes = function->kernel->parameterBytes;
        if (code != SUCCESS || (parameters == nullptr && !bytes.empty())) {
            return code != SUCCESS ? code : INVALID_VALUE;
        }
        std::vector<std::vector<unsigned char>> values;
        for (std::size_t i = 0; i < bytes.size(); i++) {
            const unsigned char* from = static_cast<const unsigned char*>(parameters[i]);
            values.emplace_back(from, from + bytes[i]);
        }
        world.counts["launch_calls"] += stream->capture == nullptr ? 1 : 0;
        world.submit(stream, Launch{*stream->device, *function->kernel, grid, block, config->sharedBytes,
                std::move(values), dependent});
        return SUCCESS;
    });
}

DRIVER_CALL cuLaunchKernel(Handle handle, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
        unsigned blockZ, unsigned sharedBytes, Handle stream, void** parameters, void** extra) {
    const LaunchConfig config{gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream, nullptr, 0};
    return cuLaunchKernelEx(&config, handle, parameters, extra);
}
