// Runs blocks: fibres with stacks of their own that hand the thread of the computer to each other.
#include "emulated_block.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

extern "C" void emulatedSwitch(void** save, void* restore) __attribute__((visibility("hidden")));

// Saves what a function call must preserve, and goes on where the other fibre stopped.
__asm__(R"(
    .text
    .globl emulatedSwitch
    .hidden emulatedSwitch
    .type emulatedSwitch, @function
emulatedSwitch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size emulatedSwitch, . - emulatedSwitch
)");

namespace emulated {
thread_local Thread* current = nullptr;

namespace {
constexpr unsigned MOST_THREADS = 1024;
constexpr unsigned MOST_WARPS = MOST_THREADS / WARP;
constexpr std::size_t MOST_SHARED_BYTES = 232448;
constexpr std::size_t STACK_BYTES = 64 << 10;
// Not a power of two, or the tops of all stacks would meet in the same few cache lines.
constexpr std::size_t STACK_STRIDE = STACK_BYTES + 17 * 64;
constexpr std::uint64_t STACK_END = 0x57ac6ed0e57ac6edULL;
constexpr unsigned char BEYOND_SHARED = 0xcd;
constexpr std::size_t BEYOND_BYTES = 64;
// From so many blocks on, two threads of the computer take less time for a launch than one.
constexpr unsigned long long SHARED_BLOCKS = 4;

const char* name(Meeting meeting) {
    switch (meeting) {
        case Meeting::WARP_BARRIER: return "warpBarrier";
        case Meeting::SHUFFLE: return "shuffle";
        case Meeting::SHUFFLE_XOR: return "shuffleXor";
        case Meeting::SHUFFLE_DOWN: return "shuffleDown";
        case Meeting::SHUFFLE_UP: return "shuffleUp";
        case Meeting::BALLOT: return "ballot";
        case Meeting::MMA_BF16: return "mmaBf16";
        case Meeting::MMA_F16: return "mmaF16";
        case Meeting::FENCE_REGISTERS: return "fenceRegisters";
        case Meeting::MULTIPLY_WARPGROUP: return "multiply";
        case Meeting::COMMIT_PRODUCTS: return "commitProducts";
        case Meeting::AWAIT_PRODUCTS: return "awaitProducts";
    }
    return "?";
}

std::string text(Site site) {
    const char* slash = std::strrchr(site.file, '/');
    return std::string(slash == nullptr ? site.file : slash + 1) + ":" + std::to_string(site.line);
}
}

// All that there are, for the handler of bad addresses: on a thread that never ran a kernel, to look at thread-local
// storage would allocate memory, which a handler of signals must not.
namespace {
std::atomic<Runner*> runners[256];

// A launch, whose blocks are taken in order: all before the first that fails have run.
struct Launch {
    const Kernel& kernel;
    Dim3 grid;
    Dim3 dimensions;
    std::size_t sharedBytes;
    void** values;
    const Dependence* dependence;
    std::atomic<unsigned long long> next{0};
    std::atomic<bool> failed{false};
};

// What became of the blocks that one thread of the computer took: the first that failed, if any.
struct Part {
    unsigned long long block = 0;
    Verdict verdict;
};
}

// Runs the blocks of one thread of the computer.
class Runner {
public:
    Runner() {
        stacks = static_cast<unsigned char*>(mmap(nullptr, STACK_STRIDE * MOST_THREADS, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        if (stacks == MAP_FAILED || posix_memalign(&shared, 1024, MOST_SHARED_BYTES + BEYOND_BYTES) != 0) {
            std::fputs("The emulated device has no memory for the stacks of its threads.\n", stderr);
            std::abort();
        }
        threads.resize(MOST_THREADS);
        block.dynamicShared = static_cast<unsigned char*>(shared);
        block.runner = this;
        for (std::atomic<Runner*>& place : runners) {
            Runner* nobody = nullptr;
            if (place.compare_exchange_strong(nobody, this)) {
                break;
            }
        }
    }

    ~Runner() {
        for (std::atomic<Runner*>& place : runners) {
            Runner* self = this;
            place.compare_exchange_strong(self, nullptr);
        }
        munmap(stacks, STACK_STRIDE * MOST_THREADS);
        std::free(shared);
    }

    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Takes blocks of the launch until there are `most`, none is left, or one fails. Those after the launch's first find its
    // predecessor ended.
    Part take(Launch& launch, unsigned long long most) {
        kernel = &launch.kernel;
        parameters = launch.values;
        dependence = launch.dependence;
        failure.clear();
        badAddress = false;
        prepare(static_cast<unsigned>(launch.dimensions.count()));
        index(launch.dimensions);
        block.dimensions = launch.dimensions;
        block.grid = launch.grid;
        block.dynamicSharedBytes = launch.sharedBytes;
        for (unsigned long long taken = 0; taken < most && !launch.failed; taken++) {
            const unsigned long long at = launch.next++;
            if (at >= launch.grid.count()) {
                break;
            }
            const unsigned long long row = at / launch.grid.x;
            block.index = {static_cast<unsigned>(at % launch.grid.x), static_cast<unsigned>(row % launch.grid.y),
                    static_cast<unsigned>(row / launch.grid.y)};
            gateIsOpen = at > 0;
            runBlock();
            if (!failure.empty()) {
                prepared = 0;
                launch.failed = true;
                return {at, {failure, badAddress}};
            }
        }
        return {0, {stackFault(), false}};
    }

    void barrier(Thread& me, Site site) {
        if (++atBarrier == count) {
            atBarrier = 0;
            for (unsigned w = 0; w < warpCount; w++) {
                warps[w].runnable |= warps[w].atBarrier;
                warps[w].atBarrier = 0;
            }
            return;
        }
        me.waitsAt = site;
        me.warp->atBarrier |= 1u << me.lane;
        me.warp->runnable &= ~(1u << me.lane);
        leave(me);
    }

    bool isDependent() const { return dependence != nullptr; }

    void await(Thread& me) {
        me.waited = true;
        if (dependence == nullptr || gateIsOpen) {
            return;
        }
        me.warp->atGate |= 1u << me.lane;
        me.warp->runnable &= ~(1u << me.lane);
        leave(me);
    }

    bool meet(Thread& me, Meeting meeting, Site site) {
        Warp& warp = *me.warp;
        if (warp.lanes != WARP) {
            fail(std::string(name(meeting)) + " at " + text(site) + " needs a full warp, but warp "
                    + std::to_string(me.warpNumber) + " has " + std::to_string(warp.lanes) + " lanes");
        }
        if (warp.arrived != 0 && warp.meeting != meeting) {
            fail("lanes of warp " + std::to_string(me.warpNumber) + " meet in different places: some in "
                    + name(warp.meeting) + ", lane " + std::to_string(me.lane) + " in " + name(meeting) + " at " + text(site));
        }
        warp.meeting = meeting;
        me.meetings++;
        if (++warp.arrived == WARP) {
            warp.arrived = 0;
            warp.runnable |= warp.atMeeting;
            warp.atMeeting = 0;
            return true;
        }
        me.waitsAt = site;
        warp.atMeeting |= 1u << me.lane;
        warp.runnable &= ~(1u << me.lane);
        leave(me);
        return false;
    }

    [[noreturn]] void failAtAddress(const void* address, const void* instruction) {
        badAddress = true;
        Dl_info library{};
        dladdr(instruction, &library);
        char text[128];
        std::snprintf(text, sizeof(text), "touches address %p, which is no memory of the device (instruction 0x%zx of the library)",
                address, static_cast<std::size_t>(static_cast<const char*>(instruction) - static_cast<char*>(library.dli_fbase)));
        fail(text);
    }

    [[noreturn]] void fail(const std::string& what) {
        const Thread& me = *current;
        failure = where() + ", thread " + std::to_string(&me - threads.data()) + ": " + what + ".";
        current = nullptr;
        void* abandoned = nullptr;
        emulatedSwitch(&abandoned, host);
        std::abort();
    }

    // Whether that is a stack of its fibres.
    bool hasStack(const unsigned char* pointer) const {
        return pointer >= stacks && pointer < stacks + STACK_STRIDE * MOST_THREADS;
    }

    bool isBeyondShared(const void* address, unsigned bytes) const {
        const unsigned char* byte = static_cast<const unsigned char*>(address);
        return byte >= block.dynamicShared && byte < block.dynamicShared + MOST_SHARED_BYTES
                && byte + bytes > block.dynamicShared + block.dynamicSharedBytes;
    }

private:
    static void body();

    void runBlock() {
        std::memset(block.dynamicShared, 0xff, block.dynamicSharedBytes);
        std::memset(block.dynamicShared + block.dynamicSharedBytes, BEYOND_SHARED, BEYOND_BYTES);
        for (unsigned w = 0; w < warpCount; w++) {
            Warp& warp = warps[w];
            warp.lanes = std::min(WARP, count - w * WARP);
            warp.runnable = warp.lanes == WARP ? ~0u : (1u << warp.lanes) - 1;
            warp.arrived = warp.atMeeting = warp.atBarrier = warp.atGate = 0;
        }
        finished = atBarrier = 0;
        beginProducts();
        for (unsigned i = 0; i < count; i++) {
            threads[i].waited = dependence == nullptr;
            threads[i].copyGroup = threads[i].landedGroups = threads[i].fencedGroups = 0;
        }
        // Odd blocks take their threads from the last to the first, so that a race shows in one order or the other.
        descending = ((block.index.x ^ block.index.y ^ block.index.z) & 1) != 0;
        current = next(0, descending ? 0 : WARP - 1);
        emulatedSwitch(&host, current->stackPointer);
        current = nullptr;
        if (failure.empty() && openGate()) {
            emulatedSwitch(&host, current->stackPointer);
            current = nullptr;
        }
        if (failure.empty() && finished != count) {
            failure = deadlock();
        }
        if (failure.empty()) {
            const std::string fault = faultOfProducts();
            failure = fault.empty() ? "" : where() + ": " + fault + ".";
        }
        if (failure.empty()) {
            const unsigned char* beyond = block.dynamicShared + block.dynamicSharedBytes;
            if (std::any_of(beyond, beyond + BEYOND_BYTES, [](unsigned char byte) { return byte != BEYOND_SHARED; })) {
                failure = where() + ": wrote beyond its " + std::to_string(block.dynamicSharedBytes)
                        + " bytes of dynamic shared memory.";
            }
        }
    }

    // Lets the threads that wait for the launch before go on, after it has ended. False if there are none.
    bool openGate() {
        if (dependence == nullptr || gateIsOpen) {
            return false;
        }
        gateIsOpen = true;
        if (!dependence->reached()) {
            failure = where() + ": the launch before it failed.";
            return false;
        }
        unsigned waiting = 0;
        for (unsigned w = 0; w < warpCount; w++) {
            waiting |= warps[w].atGate;
            warps[w].runnable |= warps[w].atGate;
            warps[w].atGate = 0;
        }
        current = waiting == 0 ? nullptr : next(0, descending ? 0 : WARP - 1);
        return waiting != 0;
    }

    void prepare(unsigned wanted) {
        count = wanted;
        warpCount = (wanted + WARP - 1) / WARP;
        for (unsigned i = prepared; i < wanted; i++) {
            unsigned char* bottom = stacks + i * STACK_STRIDE;
            std::memcpy(bottom, &STACK_END, sizeof(STACK_END));
            void** top = reinterpret_cast<void**>(bottom + STACK_BYTES);
            top[-1] = nullptr;
            top[-2] = reinterpret_cast<void*>(&Runner::body);
            std::fill(top - 8, top - 2, nullptr);
            threads[i].stackPointer = top - 8;
            threads[i].copies.clear();
        }
        prepared = std::max(prepared, wanted);
    }

    void index(Dim3 dimensions) {
        for (unsigned i = 0; i < count; i++) {
            Thread& thread = threads[i];
            thread.index = {i % dimensions.x, i / dimensions.x % dimensions.y, i / dimensions.x / dimensions.y};
            thread.lane = i % WARP;
            thread.warpNumber = i / WARP;
            thread.warp = &warps[i / WARP];
            thread.block = &block;
            thread.meetings = 0;
        }
    }

    Thread* next(unsigned warpNumber, unsigned lane) {
        unsigned runnable = warps[warpNumber].runnable;
        if (runnable != 0) {
            unsigned later = descending ? runnable & ((1u << lane) - 1) : runnable & ~((2u << lane) - 1);
            return &threads[warpNumber * WARP + pick(later != 0 ? later : runnable)];
        }
        for (unsigned k = 1; k < warpCount; k++) {
            unsigned other = descending ? (warpNumber + warpCount - k) % warpCount : (warpNumber + k) % warpCount;
            if (warps[other].runnable != 0) {
                return &threads[other * WARP + pick(warps[other].runnable)];
            }
        }
        return nullptr;
    }

    unsigned pick(unsigned lanes) const {
        return static_cast<unsigned>(descending ? 31 - __builtin_clz(lanes) : __builtin_ctz(lanes));
    }

    void leave(Thread& me) {
        Thread* other = next(me.warpNumber, me.lane);
        current = other;
        emulatedSwitch(&me.stackPointer, other == nullptr ? host : other->stackPointer);
    }

    void finish() {
        Thread& me = *current;
        if (!me.waited) {
            fail("ends without waiting for the launch before, on which it depends");
        }
        me.copies.clear();
        me.warp->runnable &= ~(1u << me.lane);
        finished++;
        leave(me);
    }

    std::string where() const {
        return "Kernel " + kernel->name + ", block (" + std::to_string(block.index.x) + ", " + std::to_string(block.index.y)
                + ", " + std::to_string(block.index.z) + ")";
    }

    std::string deadlock() const {
        std::map<std::string, std::vector<unsigned>> states;
        for (unsigned i = 0; i < count; i++) {
            const Thread& thread = threads[i];
            unsigned bit = 1u << thread.lane;
            std::string state = (thread.warp->atBarrier & bit) != 0 ? "wait at the barrier of " + text(thread.waitsAt)
                    : (thread.warp->atMeeting & bit) != 0
                            ? std::string("wait in the ") + name(thread.warp->meeting) + " of " + text(thread.waitsAt)
                            : "have returned";
            states[state].push_back(i);
        }
        std::string sentence = where() + " never ends:";
        const char* separator = " ";
        for (const auto& [state, who] : states) {
            sentence += separator + std::to_string(who.size()) + " threads (first " + std::to_string(who.front()) + ") " + state;
            separator = "; ";
        }
        return sentence + ".";
    }

    std::string stackFault() const {
        for (unsigned i = 0; i < count; i++) {
            if (std::memcmp(stacks + i * STACK_STRIDE, &STACK_END, sizeof(STACK_END)) != 0) {
                return "Kernel " + kernel->name + " used more than the " + std::to_string(STACK_BYTES)
                        + " bytes of stack that an emulated thread has.";
            }
        }
        return "";
    }

    unsigned char* stacks;
    void* shared = nullptr;
    void* host = nullptr;
    std::vector<Thread> threads;
    Warp warps[MOST_WARPS];
    Block block;
    const Kernel* kernel = nullptr;
    void** parameters = nullptr;
    std::string failure;
    unsigned prepared = 0;
    unsigned count = 0;
    unsigned warpCount = 0;
    unsigned finished = 0;
    unsigned atBarrier = 0;
    bool descending = false;
    const Dependence* dependence = nullptr;
    bool gateIsOpen = false;
    bool badAddress = false;
};

namespace {
Runner& runner() {
    static thread_local std::unique_ptr<Runner> mine;
    if (mine == nullptr) {
        mine = std::make_unique<Runner>();
    }
    return *mine;
}
}

void Runner::body() {
    Runner& mine = runner();
    for (;;) {
        mine.kernel->call(mine.parameters);
        mine.finish();
    }
}

namespace {
struct sigaction handlerBefore;

void onBadAddress(int signal, siginfo_t* info, void* context) {
    auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    for (std::atomic<Runner*>& place : runners) {
        Runner* runner = place.load();
        if (runner != nullptr && runner->hasStack(reinterpret_cast<unsigned char*>(registers[REG_RSP]))) {
            sigset_t thisSignal;
            sigemptyset(&thisSignal);
            sigaddset(&thisSignal, signal);
            pthread_sigmask(SIG_UNBLOCK, &thisSignal, nullptr);
            runner->failAtAddress(info->si_addr, reinterpret_cast<void*>(registers[REG_RIP]));
        }
    }
    if ((handlerBefore.sa_flags & SA_SIGINFO) != 0) {
        handlerBefore.sa_sigaction(signal, info, context);
    } else {
        // Happens again when this returns, and then ends the program as it would have.
        sigaction(signal, &handlerBefore, nullptr);
    }
}
}

void catchBadAddresses() {
    static std::once_flag once;
    std::call_once(once, [] {
        sigaction(SIGSEGV, nullptr, &handlerBefore);
        struct sigaction mine = handlerBefore;
        mine.sa_flags |= SA_SIGINFO;
        mine.sa_sigaction = onBadAddress;
        sigaction(SIGSEGV, &mine, nullptr);
    });
}

namespace {
// A second thread of the computer, for launches of several blocks.
class Helper {
public:
    // Never deleted: it may still run a kernel while the program ends.
    static Helper& only() {
        static auto& helper = *new Helper();
        return helper;
    }

    // Whether it takes part; not while another launch has it.
    bool begin(Launch& wanted) {
        std::lock_guard<std::mutex> lock(mutex);
        if (launch != nullptr) {
            return false;
        }
        launch = &wanted;
        ended = false;
        changed.notify_all();
        return true;
    }

    Part end() {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [this] { return ended; });
        launch = nullptr;
        return part;
    }

private:
    Helper() { std::thread([this] { serve(); }).detach(); }

    [[noreturn]] void serve() {
        std::unique_lock<std::mutex> lock(mutex);
        for (;;) {
            changed.wait(lock, [this] { return launch != nullptr && !ended; });
            lock.unlock();
            Part mine = runner().take(*launch, launch->grid.count());
            lock.lock();
            part = mine;
            ended = true;
            changed.notify_all();
        }
    }

    std::mutex mutex;
    std::condition_variable changed;
    Launch* launch = nullptr;
    bool ended = false;
    Part part;
};

std::string impossible(const Kernel& kernel, Dim3 grid, Dim3 block, std::size_t sharedBytes) {
    if (current != nullptr) {
        return "A kernel was launched from inside a kernel.";
    }
    if (block.count() == 0 || grid.count() == 0 || block.count() > kernel.mostThreads || block.count() > MOST_THREADS) {
        return "Kernel " + kernel.name + " takes blocks of 1 to " + std::to_string(kernel.mostThreads)
                + " threads and a grid of at least 1 block; it was launched with " + std::to_string(block.count())
                + " threads in " + std::to_string(grid.count()) + " blocks.";
    }
    if (sharedBytes > MOST_SHARED_BYTES) {
        return "Kernel " + kernel.name + " was launched with " + std::to_string(sharedBytes)
                + " bytes of shared memory; a block has at most " + std::to_string(MOST_SHARED_BYTES) + ".";
    }
    return "";
}
}

Verdict tryLaunch(const Kernel& kernel, Dim3 grid, Dim3 block, std::size_t sharedBytes, void** parameters,
        const Dependence* dependence) {
    std::string wrong = impossible(kernel, grid, block, sharedBytes);
    if (!wrong.empty()) {
        return {wrong, false};
    }
    Launch launch{kernel, grid, block, sharedBytes, parameters, dependence};
    if (dependence != nullptr) { // the first block waits for the launch before, for all
        Part first = runner().take(launch, 1);
        if (!first.verdict.wrong.empty()) {
            return first.verdict;
        }
    }
    const bool helped = grid.count() >= SHARED_BLOCKS && Helper::only().begin(launch);
    Part mine = runner().take(launch, grid.count());
    if (!helped) {
        return mine.verdict;
    }
    Part other = Helper::only().end();
    // Of two blocks that fail the earlier counts, as if one thread had run all.
    const bool othersCounts = mine.verdict.wrong.empty() || (!other.verdict.wrong.empty() && other.block < mine.block);
    return othersCounts ? other.verdict : mine.verdict;
}

bool isDependent(const Thread& me) { return me.block->runner->isDependent(); }

void awaitGate(Thread& me) { me.block->runner->await(me); }

void blockBarrier(Thread& me, Site site) { me.block->runner->barrier(me, site); }

bool warpMeeting(Thread& me, Meeting meeting, Site site) { return me.block->runner->meet(me, meeting, site); }

void fail(const std::string& what, Site site) { runner().fail(what + " at " + text(site)); }

bool isBeyondShared(const void* address, unsigned bytes) { return runner().isBeyondShared(address, bytes); }
}
