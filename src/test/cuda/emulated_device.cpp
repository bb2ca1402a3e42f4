// Arithmetic of the emulated device that is not a line long, and the list of its kernels.
#include "emulated_device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace emulated {
namespace {
using Eight = float __attribute__((vector_size(32)));

// Filled while static objects of other files come to be: hence inside a function. Never deleted:
// threads may still run kernels while a program ends.
std::map<std::string, Kernel>& kernels() {
    static auto& all = *new std::map<std::string, Kernel>();
    return all;
}

template <typename T>
float value(std::uint32_t word, unsigned which) {
    return toFloat(T{static_cast<std::uint16_t>(word >> (16 * which))});
}

// The product of the fragments that all lanes have laid down.
template <typename T>
void multiply(Exchange& laid) {
    float a[16][16];
    float b[16][8];
    for (unsigned lane = 0; lane < WARP; lane++) {
        const std::uint32_t(&words)[6] = laid.fragments[lane];
        const unsigned group = lane / 4;
        const unsigned pair = lane % 4 * 2;
        for (unsigned i = 0; i < 2; i++) {
            for (unsigned j = 0; j < 4; j++) {
                a[group + j % 2 * 8][pair + j / 2 * 8 + i] = value<T>(words[j], i);
            }
            for (unsigned j = 0; j < 2; j++) {
                b[pair + j * 8 + i][group] = value<T>(words[4 + j], i);
            }
        }
    }
    for (unsigned row = 0; row < 16; row++) {
        Eight sum{};
        for (unsigned k = 0; k < 16; k++) {
            Eight weights;
            std::memcpy(&weights, b[k], sizeof(weights));
            sum += a[row][k] * weights;
        }
        std::memcpy(laid.product[row], &sum, sizeof(sum));
    }
}
}

void add(Kernel kernel) {
    if (!kernels().emplace(kernel.name, kernel).second) {
        std::fprintf(stderr, "Two kernels are named %s.\n", kernel.name.c_str());
        std::abort();
    }
}

const Kernel* findKernel(const std::string& name) {
    auto found = kernels().find(name);
    return found == kernels().end() ? nullptr : &found->second;
}

void launch(const char* name, Dim3 grid, Dim3 block, std::size_t sharedBytes, void** parameters) {
    const Kernel* kernel = findKernel(name);
    std::string wrong = kernel == nullptr ? std::string("There is no kernel ") + name + "."
                                          : tryLaunch(*kernel, grid, block, sharedBytes, parameters).wrong;
    if (!wrong.empty()) {
        std::fprintf(stderr, "%s\n", wrong.c_str());
        std::abort();
    }
}

float halfBitsToFloat(std::uint16_t bits) {
    std::uint32_t sign = (bits & 0x8000u) << 16;
    std::uint32_t exponent = bits >> 10 & 31;
    std::uint32_t fraction = bits & 0x3ff;
    if (exponent == 0) {
        float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        return sign != 0 ? -magnitude : magnitude;
    }
    std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
    return bitsAs<float>(sign | wide << 23 | fraction << 13);
}

std::uint16_t floatToHalfBits(float value) {
    std::uint32_t bits = bitsAs<std::uint32_t>(value);
    std::uint16_t sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
    std::uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) {
        return 0x7fff;
    }
    if (magnitude >= 0x477ff000) {
        return sign | 0x7c00;
    }
    if (magnitude < 0x38800000) {
        // Below 2^-14 halves lie 2^-24 apart: added to 2^-1, whose floats do too, the processor rounds as it must.
        float rounded = bitsAs<float>(magnitude) + 0.5f;
        return static_cast<std::uint16_t>(sign | (bitsAs<std::uint32_t>(rounded) - 0x3f000000));
    }
    return static_cast<std::uint16_t>(sign | ((magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13));
}

std::uint16_t fmaBf16(unsigned a, unsigned b, unsigned c) {
    auto wide = [](unsigned bits) { return static_cast<double>(toFloat(bf16{static_cast<std::uint16_t>(bits)})); };
    double exact = wide(a) * wide(b) + wide(c);
    float rounded = static_cast<float>(exact);
    if (std::isfinite(rounded) && rounded != exact) {
        // Rounded to odd, so that rounding once more gives what rounding once would have.
        std::uint32_t towardsZero = bitsAs<std::uint32_t>(rounded) - (std::fabs(rounded) > std::fabs(exact) ? 1 : 0);
        rounded = bitsAs<float>(towardsZero | 1);
    }
    return toBf16(rounded).bits;
}

unsigned vote(bool predicate, Site site) {
    Thread& me = *current;
    Exchange& laid = me.warp->exchanges[me.meetings & 1];
    laid.words[me.lane] = predicate ? 1 : 0;
    warpMeeting(me, Meeting::BALLOT, site);
    unsigned votes = 0;
    for (unsigned lane = 0; lane < WARP; lane++) {
        votes |= static_cast<unsigned>(laid.words[lane]) << lane;
    }
    return votes;
}

void multiplyTiles(float d[4], const unsigned a[4], const unsigned b[2], Meeting meeting, Site site) {
    Thread& me = *current;
    Exchange& laid = me.warp->exchanges[me.meetings & 1];
    std::memcpy(laid.fragments[me.lane], a, 4 * sizeof(*a));
    std::memcpy(laid.fragments[me.lane] + 4, b, 2 * sizeof(*b));
    if (warpMeeting(me, meeting, site)) {
        meeting == Meeting::MMA_BF16 ? multiply<bf16>(laid) : multiply<half>(laid);
    }
    const unsigned group = me.lane / 4;
    const unsigned pair = me.lane % 4 * 2;
    for (unsigned i = 0; i < 4; i++) {
        d[i] += laid.product[group + i / 2 * 8][pair + i % 2];
    }
}

static void land(const PendingCopy& copy) {
    if (copy.valid) {
        std::memcpy(copy.to, copy.from, copy.bytes);
    } else {
        std::memset(copy.to, 0, copy.bytes);
    }
}

void copyAsync(void* shared, const void* global, bool valid, unsigned bytes, Site site) {
    mustBeAligned(shared, bytes, site);
    if (valid) {
        mustBeAligned(global, bytes, site);
    }
    if (isBeyondShared(shared, bytes)) {
        fail("copies beyond the block's dynamic shared memory", site);
    }
    Thread& me = *current;
    noteCopy(me, shared, bytes, site);
    PendingCopy copy{shared, global, valid, bytes, me.copyGroup};
    // A device may land a copy at any moment from here to the wait. One group lands now, where somebody may still read
    // what stood there, the next at the wait, so that who forgets to wait reads what stood there before.
    if (((me.copyGroup ^ me.warpNumber) & 1) != 0) {
        land(copy);
    } else {
        me.copies.push_back(copy);
    }
}

void awaitPredecessor() {
    Thread& me = *current;
    if (isDependent(me)) {
        // Copies that were started may have read their source by now.
        for (const PendingCopy& copy : me.copies) {
            land(copy);
        }
        me.copies.clear();
    }
    awaitGate(me);
}

void copyAsyncCommit() { current->copyGroup++; }

void copyAsyncWait(int newestLeftOut) {
    Thread& me = *current;
    std::size_t landed = 0;
    while (landed < me.copies.size() && me.copies[landed].group + static_cast<unsigned>(newestLeftOut) < me.copyGroup) {
        land(me.copies[landed++]);
    }
    me.copies.erase(me.copies.begin(), me.copies.begin() + static_cast<std::ptrdiff_t>(landed));
    const unsigned leftOut = static_cast<unsigned>(newestLeftOut);
    me.landedGroups = std::max(me.landedGroups, me.copyGroup > leftOut ? me.copyGroup - leftOut : 0);
}
}
