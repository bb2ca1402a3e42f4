// Which kernels there are, and how each is called from an array of pointers to its parameters.
#pragma once

#include <cstddef>
#include <cstring>
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
    void (*call)(void** parameters);
};

// The kernel of that name, or null.
const Kernel* findKernel(const std::string& name);

// Runs every block of the grid, one after another, on the calling thread. Answers nothing, or the sentence that says
// what the kernel did wrong; what it wrote before stays written.
std::string tryLaunch(const Kernel& kernel, Dim3 grid, Dim3 block, std::size_t sharedBytes, void** parameters);

// The same by name; prints the sentence and ends the program where something is wrong.
void launch(const char* name, Dim3 grid, Dim3 block, std::size_t sharedBytes, void** parameters);

// The same with the parameters themselves. Their types must have the sizes of the kernel's.
template <typename... P>
void run(const char* name, Dim3 grid, Dim3 block, std::size_t sharedBytes, P... parameters) {
    void* pointers[] = {const_cast<void*>(static_cast<const void*>(&parameters))..., nullptr};
    launch(name, grid, block, sharedBytes, pointers);
}

struct Registration {
    explicit Registration(Kernel (*describe)());
};

void noteParameterBytes(const char* kernel, std::size_t index, std::size_t bytes);

template <typename K, std::size_t INDEX, typename T>
struct Noted {
    static inline const bool DONE = (noteParameterBytes(K::NAME, INDEX, sizeof(T)), true);
};

// Stands for a parameter whose type only the kernel knows: becomes that type, and notes its size, where it is passed.
// A KERNEL macro stands before the parameters, so it cannot name their types; it can call the kernel with these.
template <typename K, std::size_t INDEX>
struct Parameter {
    const void* at;

    template <typename T>
    operator T() const {
        static_cast<void>(Noted<K, INDEX, T>::DONE);
        T value;
        std::memcpy(&value, at, sizeof(T));
        return value;
    }
};

template <typename K, std::size_t... INDEX>
void callWith(void** parameters, std::index_sequence<INDEX...>) {
    K::call(Parameter<K, INDEX>{parameters[INDEX]}...);
}

template <typename K, std::size_t... INDEX>
constexpr bool takes(std::index_sequence<INDEX...>) {
    return requires { K::call(Parameter<K, INDEX>{nullptr}...); };
}

constexpr std::size_t MOST_PARAMETERS = 32;

template <typename K, std::size_t COUNT = 0>
Kernel describe() {
    static_assert(COUNT <= MOST_PARAMETERS, "a kernel takes at most 32 parameters, each by value");
    if constexpr (takes<K>(std::make_index_sequence<COUNT>{})) {
        return {K::NAME, K::MOST_THREADS, std::vector<std::size_t>(COUNT),
                [](void** parameters) { callWith<K>(parameters, std::make_index_sequence<COUNT>{}); }};
    } else {
        return describe<K, COUNT + 1>();
    }
}
}
