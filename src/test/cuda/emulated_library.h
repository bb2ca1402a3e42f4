// What the emulated driver offers to libraries that compute on its devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace emulated {
// Device memory that a call reads or writes.
struct Range {
    std::uintptr_t address;
    std::size_t bytes;
};
}

// Runs the work in the stream's order, counted as launches of that name. Answers as the driver: 900 while the stream is
// captured, 1 if no allocation holds a range.
extern "C" int emulated_enqueue(
        void* stream, const char* name, const emulated::Range* ranges, int count, const std::function<void()>& work);
extern "C" int emulated_count(const char* name, long long more);
extern "C" int emulated_current();
extern "C" long long emulated_get(const char* name);
