// Memory, launches and timing of the benchmark.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "driver.h"
#include "sizes.h"

constexpr int COMPARED_LAUNCHES = 3;
constexpr int STEP_LAUNCHES = 32 * 5 + 4; // of a decode step of 32 layers

// How each kernel is launched.
enum class Way { GRAPHS, ONCE, DEPENDENT };

class Launcher {
public:
    // `warpgroups`: the module of products by wgmma, or nothing.
    Launcher(const std::string& ptx, const std::string& warpgroups, Sizes wanted, Way chosen, std::string filter)
        : sizes(std::move(wanted)), way(chosen), only(std::move(filter)) {
        driver.start(0u);
        driver.device(&device, 0);
        char name[256] = "";
        driver.deviceName(name, 256, device);
        driver.attribute(&multiprocessors, MULTIPROCESSORS, device);
        driver.retain(&context, device);
        driver.makeCurrent(context);
        driver.load(&module, static_cast<const void*>(ptx.c_str()));
        if (!warpgroups.empty()) {
            driver.load(&warpgroupModule, static_cast<const void*>(warpgroups.c_str()));
        }
        driver.stream(&stream, 1u);
        driver.event(&begun, 0u);
        driver.event(&ended, 0u);
        for (Handle& each : awaited) {
            driver.event(&each, 0u);
        }
        std::printf("# %s, %d multiprocessors\n", name, multiprocessors);
        if (sizes.everyKernel) {
            std::printf("# Smallest sizes: the times mean nothing.\n");
        }
    }

protected:
    struct Memory {
        Address address;
        size_t bytes;
    };

    Driver driver;
    const Sizes sizes;
    const Way way;
    const std::string only;
    bool dependent = false; // whether launches are
    int faults = 0;
    std::vector<Memory> results; // of a row; zero before
    int device = 0;
    int multiprocessors = 0;
    Handle context = nullptr;
    Handle module = nullptr;
    Handle warpgroupModule = nullptr; // or null
    Handle stream = nullptr;
    Handle begun = nullptr;
    Handle ended = nullptr;
    Handle awaited[2] = {}; // of a graph and of the one behind it
    double readRate = 0;   // bytes a second
    double tensorRate = 0; // floating-point operations a second
    std::vector<Address> taken;

    bool wanted(const std::string& name) const { return name.find(only) != std::string::npos; }

    int copies(long long bytes) const {
        return static_cast<int>(std::clamp((sizes.coldBytes + bytes - 1) / std::max(1ll, bytes), 1ll, 1000ll));
    }

    // The driver fills in its default stream, for which the stream of the kernels does not wait.
    void clear(Address memory, size_t bytes) {
        driver.fill(memory, static_cast<unsigned char>(0), bytes);
        driver.wait(Handle{nullptr});
    }

    template <typename T> T* zeros(long long count) {
        Address memory = 0;
        const size_t bytes = std::max(16ll, count * static_cast<long long>(sizeof(T)));
        driver.allocate(&memory, bytes);
        clear(memory, bytes);
        taken.push_back(memory);
        return reinterpret_cast<T*>(memory);
    }

    template <typename T> T* copied(const std::vector<T>& values) {
        T* to = zeros<T>(static_cast<long long>(values.size()));
        driver.copy(reinterpret_cast<Address>(to), static_cast<const void*>(values.data()), values.size() * sizeof(T));
        return to;
    }

    template <typename T> T* random(Numbers numbers, long long bytes) {
        std::mt19937_64 generator(1);
        std::vector<std::uint64_t> block(static_cast<size_t>(std::min(1ll << 17, bytes / 8 + 1)));
        for (std::uint64_t& word : block) {
            word = (generator() & RANDOM[numbers]) | FIXED[numbers];
        }
        T* to = reinterpret_cast<T*>(zeros<char>(bytes));
        const long long most = static_cast<long long>(block.size()) * 8;
        for (long long at = 0; at < bytes; at += most) {
            driver.copy(reinterpret_cast<Address>(to) + at, static_cast<const void*>(block.data()),
                        static_cast<size_t>(std::min(most, bytes - at)));
        }
        return to;
    }

    template <typename T> T* result(long long count) {
        T* to = zeros<T>(count);
        results.push_back({reinterpret_cast<Address>(to), static_cast<size_t>(count) * sizeof(T)});
        return to;
    }

    void releaseAll() {
        for (Address memory : taken) {
            driver.release(memory);
        }
        taken.clear();
        results.clear();
    }

    Handle kernel(const std::string& name, int sharedBytes) { return kernel(module, name, sharedBytes); }

    Handle kernel(Handle of, const std::string& name, int sharedBytes) {
        Handle found = nullptr;
        driver.kernel(&found, of, name.c_str());
        if (sharedBytes > 48 * 1024) {
            driver.setAttribute(found, DYNAMIC_SHARED_BYTES, sharedBytes);
        }
        return found;
    }

    template <typename T>
    void launch(Handle of, T& argument, unsigned x, unsigned y, unsigned z, unsigned threads, int sharedBytes = 0) {
        void* arguments[] = {&argument};
        if (dependent) {
            LaunchAttribute attribute = {};
            attribute.id = PROGRAMMATIC_STREAM_SERIALIZATION;
            attribute.allowed = 1;
            const LaunchConfig configuration = {x, y, z, threads, 1, 1, static_cast<unsigned>(sharedBytes), stream, &attribute, 1};
            driver.launchWith(&configuration, of, static_cast<void**>(arguments), static_cast<void**>(nullptr));
            return;
        }
        driver.launch(of, x, y, z, threads, 1u, 1u, static_cast<unsigned>(sharedBytes), stream,
                      static_cast<void**>(arguments), static_cast<void**>(nullptr));
    }

    // Seconds of one launch: the fastest of some rounds of a graph. With --once, of one launch without a graph.
    double time(int launches, const std::function<void(int)>& enqueue) {
        if (way == Way::ONCE) {
            return timed([&] { enqueue(0); });
        }
        if (way == Way::DEPENDENT) {
            return compared([&] { return inGraph(COMPARED_LAUNCHES, 0, enqueue); });
        }
        return inGraph(launches, sizes.rounds, enqueue);
    }

    // Seconds with dependent launches, after a comparison of their results with those of ordinary ones.
    double compared(const std::function<double()>& work) {
        std::vector<std::vector<unsigned char>> bytes[2];
        double seconds = 0;
        for (int i = 0; i < 2; i++) {
            for (const Memory& memory : results) {
                clear(memory.address, memory.bytes);
            }
            dependent = i == 1;
            seconds = work();
            dependent = false;
            for (const Memory& memory : results) {
                std::vector<unsigned char>& to = bytes[i].emplace_back(memory.bytes);
                driver.read(static_cast<void*>(to.data()), memory.address, memory.bytes);
            }
        }
        if (bytes[0] != bytes[1]) {
            faults++;
            std::printf("The next row's results of dependent launches differ from those of ordinary ones.\n");
        }
        return seconds;
    }

    double inGraph(int launches, int rounds, const std::function<void(int)>& enqueue) {
        return withGraph(launches, rounds, enqueue, [&](Handle graph) { driver.launchGraph(graph, stream); }) / launches;
    }

    // Seconds from one graph to the next, if the host waits for each: with `behind`, while the next is in the queue.
    double awaitedSeconds(int graphs, bool behind, int launches, const std::function<void(int)>& enqueue) {
        return withGraph(launches, sizes.rounds, enqueue, [&](Handle graph) {
                   for (int i = 0; i < graphs; i++) {
                       driver.launchGraph(graph, stream);
                       driver.record(awaited[i % 2], stream);
                       driver.waitFor(awaited[behind ? 1 - i % 2 : i % 2]);
                   }
               }) / graphs;
    }

    // Seconds of the fastest round of some work with a graph of launches.
    double withGraph(int launches, int rounds, const std::function<void(int)>& enqueue,
                     const std::function<void(Handle)>& work) {
        Handle graph = nullptr;
        Handle executable = nullptr;
        driver.beginCapture(stream, 1);
        for (int i = 0; i < launches; i++) {
            enqueue(i);
        }
        driver.endCapture(stream, &graph);
        driver.instantiate(&executable, graph, 0ull);
        const double best = fastest(rounds, [&] { work(executable); });
        driver.destroyExecutable(executable);
        driver.destroyGraph(graph);
        return best;
    }

    // Seconds of one of some calls of a library, successive ones without a graph.
    double called(int calls, const std::function<void(int)>& call) {
        const int count = way == Way::ONCE ? 1 : calls;
        return fastest(way == Way::ONCE ? 0 : sizes.rounds, [&] {
                   for (int i = 0; i < count; i++) {
                       call(i);
                   }
               }) / count;
    }

    double fastest(int rounds, const std::function<void()>& work) {
        double best = 1e9;
        for (int i = 0; i <= rounds; i++) { // the first of several warms up
            const double seconds = timed(work);
            best = i == 0 && rounds > 0 ? best : std::min(best, seconds);
        }
        return best;
    }

    double timed(const std::function<void()>& work) {
        float milliseconds = 0;
        driver.record(begun, stream);
        work();
        driver.record(ended, stream);
        driver.wait(stream);
        driver.elapsed(&milliseconds, begun, ended);
        return milliseconds / 1000.0;
    }

    void report(const std::string& name, double seconds, double bytes, double flops) {
        std::printf("%-28s %10.2f us", name.c_str(), seconds * 1e6);
        if (bytes > 0) {
            std::printf(" %9.1f GB/s", bytes / seconds / 1e9);
            if (readRate > 0) {
                std::printf(" %5.1f %%", 100 * bytes / seconds / readRate);
            }
        }
        if (flops > 0) {
            std::printf(" %9.2f TFLOP/s", flops / seconds / 1e12);
            if (tensorRate > 0) {
                std::printf(" %5.1f %%", 100 * flops / seconds / tensorRate);
            }
        }
        std::printf("\n");
        std::fflush(stdout);
    }
};
