// Which kernels there are, and how each is called from an array of pointers to its parameters.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace emulated {
struct Dim3 {
    unsigned x = 1, y = 1, z = 1;

    unsigned long long count() const { return static_cast<unsigned long long>(x) * y * z; }
};

struct Kernel {
    std::string name;
    unsigned mostThreads;
    std::vector<std::size_t> parameterBytes;
    void (*function)();
    void (*callWith)(void (*function)(), void** parameters);

    void call(void** parameters) const { callWith(function, parameters); }
};

// The kernel of that name, or null.
const Kernel* findKernel(const std::string& name);

// What a kernel did wrong, in a sentence; nothing where it did nothing wrong.
struct Verdict {
    std::string wrong;
    bool badAddress = false;
};

// That a launch depends on the one before in its stream.
struct Dependence {
    // Called once, when no thread of the first block can go on before its wait. Returns when the launch before has ended;
    // false to give up.
    std::function<bool()> reached;
};

// Runs every block of the grid, on the calling thread and on a second one, until one does something wrong; what was
// written before stays written.
//
// With a dependence, every thread must wait for the launch before (awaitPredecessor) before it returns.
Verdict tryLaunch(const Kernel& kernel, Dim3 grid, Dim3 block, std::size_t sharedBytes, void** parameters,
        const Dependence* dependence = nullptr);

// The same by name; prints the sentence and ends the program where something is wrong.
void launch(const char* name, Dim3 grid, Dim3 block, std::size_t sharedBytes, void** parameters);

// The same with the parameters themselves. Their types must have the sizes of the kernel's.
template <typename... P>
void run(const char* name, Dim3 grid, Dim3 block, std::size_t sharedBytes, P... parameters) {
    void* pointers[] = {const_cast<void*>(static_cast<const void*>(&parameters))..., nullptr};
    launch(name, grid, block, sharedBytes, pointers);
}

void add(Kernel kernel);

template <typename... P, std::size_t... INDEX>
void callWith(void (*function)(P...), [[maybe_unused]] void** parameters, std::index_sequence<INDEX...>) {
    function(*static_cast<P*>(parameters[INDEX])...);
}

// A static object of this type makes a kernel known before main runs or the library has been loaded.
struct Registration {
    template <typename... P>
    Registration(const char* name, unsigned mostThreads, void (*function)(P...)) {
        add({name, mostThreads, {sizeof(P)...}, reinterpret_cast<void (*)()>(function),
                [](void (*same)(), void** parameters) {
                    callWith(reinterpret_cast<void (*)(P...)>(same), parameters, std::index_sequence_for<P...>{});
                }});
    }
};
}
