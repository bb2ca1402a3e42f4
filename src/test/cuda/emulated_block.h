// One block of threads: fibres, their warps, and the places where they wait for each other.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "emulated_registry.h"

namespace emulated {
constexpr unsigned WARP = 32;

enum class Meeting {
    WARP_BARRIER,
    SHUFFLE,
    SHUFFLE_XOR,
    SHUFFLE_DOWN,
    SHUFFLE_UP,
    BALLOT,
    MMA_BF16,
    MMA_F16,
    FENCE_REGISTERS,
    MULTIPLY_WARPGROUP,
    COMMIT_PRODUCTS,
    AWAIT_PRODUCTS
};

struct Site {
    const char* file;
    int line;
};

struct Block;
class Runner;

// What the lanes of a warp lay down for each other. Two of each, used in turn: a quick lane may lay down for the next
// meeting before a slow one has taken from this one, but never for the one after.
struct Exchange {
    std::uint64_t words[WARP];
    std::uint32_t fragments[WARP][6]; // of a, then of b
    float product[16][8];
};

struct Warp {
    unsigned lanes = 0;
    unsigned runnable = 0;
    unsigned arrived = 0;
    Meeting meeting = Meeting::WARP_BARRIER;
    unsigned atMeeting = 0;
    unsigned atBarrier = 0;
    unsigned atGate = 0;
    Exchange exchanges[2];
};

struct PendingCopy {
    void* to;
    const void* from;
    bool valid;
    unsigned bytes;
    unsigned group;
};

struct Thread {
    void* stackPointer = nullptr;
    Dim3 index;
    unsigned lane = 0;
    unsigned warpNumber = 0;
    unsigned meetings = 0;
    unsigned copyGroup = 0;
    unsigned landedGroups = 0; // of copies: awaited
    unsigned fencedGroups = 0; // seen by products of warpgroups, after a barrier
    bool waited = false;
    Warp* warp = nullptr;
    Block* block = nullptr;
    Site waitsAt{"", 0};
    std::vector<PendingCopy> copies;
};

struct Block {
    Dim3 index, dimensions, grid;
    Runner* runner = nullptr;
    unsigned char* dynamicShared = nullptr;
    std::size_t dynamicSharedBytes = 0;
};

// The fibre that runs on this thread of the computer; null outside of kernels. Not in static thread-local storage: the
// SHARED arrays of all kernels would have to be there as well, and a library that is loaded late gets little of it.
extern thread_local Thread* current;

// Those that wait take the running fibre: to look it up costs a call, and kernels wait often.
void blockBarrier(Thread& me, Site site);
// Waits for the other lanes of the warp; true for the lane that came last, which goes on before any other does.
bool warpMeeting(Thread& me, Meeting meeting, Site site);
unsigned vote(bool predicate, Site site);
void multiplyTiles(float d[4], const unsigned a[4], const unsigned b[2], Meeting meeting, Site site);
void copyAsync(void* shared, const void* global, bool valid, unsigned bytes, Site site);
void copyAsyncCommit();
void copyAsyncWait(int newestLeftOut);
// Of products of warpgroups: when a block begins, whatever its last one left; what is wrong when it has ended; that a thread
// starts to copy to shared memory.
void beginProducts();
std::string faultOfProducts();
void noteCopy(const Thread& me, const void* shared, unsigned bytes, Site site);
// Waits for the launch before, if this one depends on it.
void awaitPredecessor();
// Whether this launch depends on the one before.
bool isDependent(const Thread& me);
void awaitGate(Thread& me);

// Ends the launch with a sentence that names the kernel, the block, the thread and the line.
[[noreturn]] void fail(const std::string& what, Site site);

// From now on a kernel that touches memory which nobody has ends its launch with a sentence, and the program goes on.
// For memory between guard pages; takes the signal's handler and passes on what no kernel did.
void catchBadAddresses();

// Whether so many bytes there lie in the device's shared memory but not in what this block asked for.
bool isBeyondShared(const void* address, unsigned bytes);

inline void mustBeAligned(const void* address, unsigned bytes, Site site) {
    if (reinterpret_cast<std::uintptr_t>(address) % bytes != 0) {
        fail("touches " + std::to_string(bytes) + " bytes at an address that is no multiple of " + std::to_string(bytes), site);
    }
}

template <typename T>
inline T exchange(T value, unsigned from, Meeting meeting, Site site) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "lanes exchange 4 or 8 bytes");
    if (from >= WARP) {
        fail("asks lane " + std::to_string(static_cast<int>(from)) + " of 0 to 31", site);
    }
    Thread& me = *current;
    Exchange& laid = me.warp->exchanges[me.meetings & 1];
    std::memcpy(&laid.words[me.lane], &value, sizeof(T));
    warpMeeting(me, meeting, site);
    std::memcpy(&value, &laid.words[from], sizeof(T));
    return value;
}
}
