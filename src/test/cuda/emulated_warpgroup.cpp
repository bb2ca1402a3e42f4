// Products of warpgroups: what each warp has started, and who may touch what until it has ended.
#include "emulated_warpgroup.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace emulated {
namespace {
using Eight = float __attribute__((vector_size(32)));

constexpr unsigned WARPS = 4; // of a warpgroup
constexpr unsigned PIECE = 16;
constexpr unsigned MOST_PIECES = (1 << 18) / PIECE; // a descriptor has 18 bits of an address
constexpr std::uint32_t POISON = 0x7fdead00;        // NaN
constexpr std::uint64_t KNOWN_BITS = 0xc00e3fff3fff3fffULL;

// What a lane lays down at a meeting.
struct Laid {
    float* sums;
    const unsigned* a;
    std::uint64_t b;
    unsigned columns;
    bool add;
};

// The sums of a warp between a fence and the end of their products.
struct Accumulator {
    float* at[WARP];
    std::vector<float> values[WARP];
    unsigned underWay = 0;
};

struct Operand {
    const unsigned* at[WARP];
    unsigned values[WARP][4];
    unsigned underWay = 0;
};

struct Started {
    Accumulator* sums;
    Operand* a;
    std::vector<unsigned> pieces; // of shared memory, by column and half
    std::vector<unsigned char> bytes;
    unsigned group;
};

struct WarpProducts {
    Laid laid[WARP];
    std::vector<std::unique_ptr<Accumulator>> sums;
    std::vector<std::unique_ptr<Operand>> operands;
    std::vector<Started> started;
    std::vector<std::pair<std::uint64_t, unsigned>> history; // matrix and columns of all
    unsigned group = 0;
};

// Who copied a word of shared memory last.
struct Copied {
    std::uint32_t block = 0;
    std::uint32_t group = 0;
    const Thread* by = nullptr;
};

struct BlockProducts {
    std::vector<WarpProducts> warps;
    std::vector<unsigned short> reads = std::vector<unsigned short>(MOST_PIECES); // products under way, by piece
    std::vector<Copied> copies = std::vector<Copied>(MOST_PIECES * 4);
    std::uint32_t block = 0;
    bool used = false;
};

// Of the block that runs on this thread of the computer.
BlockProducts& products() {
    static thread_local std::unique_ptr<BlockProducts> mine;
    if (mine == nullptr) {
        mine = std::make_unique<BlockProducts>();
    }
    return *mine;
}

bool inShared(const Block& block, const void* address) {
    const auto* byte = static_cast<const unsigned char*>(address);
    return byte >= block.dynamicShared && byte < block.dynamicShared + block.dynamicSharedBytes;
}

WarpProducts& productsOf(const Thread& me, Site site) {
    if (me.block->dimensions.count() % (WARPS * WARP) != 0) {
        fail("multiplies in a block without whole warpgroups", site);
    }
    BlockProducts& all = products();
    all.used = true;
    if (all.warps.size() <= me.warpNumber) {
        all.warps.resize(me.block->dimensions.count() / WARP);
    }
    return all.warps[me.warpNumber];
}

void poison(const Accumulator& of) {
    for (unsigned lane = 0; lane < WARP; lane++) {
        std::fill_n(reinterpret_cast<std::uint32_t*>(of.at[lane]), of.values[lane].size(), POISON);
    }
}

void mustBePoison(const Accumulator& of, Site site) {
    for (unsigned lane = 0; lane < WARP; lane++) {
        const auto* words = reinterpret_cast<const std::uint32_t*>(of.at[lane]);
        if (std::any_of(words, words + of.values[lane].size(), [](std::uint32_t word) { return word != POISON; })) {
            fail("changes sums between their fence and the end of their products", site);
        }
    }
}

void mustBeSame(const Operand& of, const char* what, Site site) {
    for (unsigned lane = 0; lane < WARP; lane++) {
        if (std::memcmp(of.at[lane], of.values[lane], sizeof(of.values[lane])) != 0) {
            fail(what, site);
        }
    }
}

template <typename T, typename P>
T* find(std::vector<std::unique_ptr<T>>& all, P at) {
    for (std::unique_ptr<T>& each : all) {
        if (each->at[0] == at) {
            return each.get();
        }
    }
    return nullptr;
}

// Where the descriptor says that eight inputs (half 0 or 1 of 16) of a column are: bytes from the start of shared memory. In
// the order of the PTX ISA's canonical K-major layouts, whose rows have 1, 2, 4 or 8 pieces; then the swizzle.
unsigned pieceAt(std::uint64_t b, unsigned column, unsigned half) {
    const unsigned start = static_cast<unsigned>(b & 0x3fff) * PIECE;
    const unsigned leading = static_cast<unsigned>(b >> 16 & 0x3fff) * PIECE;
    const unsigned stride = static_cast<unsigned>(b >> 32 & 0x3fff) * PIECE;
    const unsigned mode = static_cast<unsigned>(b >> 62);
    const unsigned pieces = mode == 0 ? 1 : 16u >> mode;
    const unsigned at = start + column / 8 * stride + column % 8 * pieces * PIECE + half * (mode == 0 ? leading : PIECE);
    return at ^ (at >> 7 & (pieces - 1)) << 4;
}

// The pieces that a product reads, each after a look at who wrote it.
std::vector<unsigned> piecesOf(const Block& block, std::uint64_t b, unsigned columns, Site site) {
    if ((b & ~KNOWN_BITS) != 0 || (b >> 49 & 7) != 0) {
        fail("multiplies with a descriptor that has reserved bits or a base offset", site);
    }
    BlockProducts& all = products();
    std::vector<unsigned> pieces;
    for (unsigned i = 0; i < columns * 8 * 2; i++) {
        const unsigned at = pieceAt(b, i / 2, i % 2);
        if (at + PIECE > block.dynamicSharedBytes) {
            fail("multiplies with a matrix beyond the block's dynamic shared memory", site);
        }
        for (unsigned word = at / 4; word < at / 4 + 4; word++) {
            const Copied& copy = all.copies[word];
            if (copy.block == all.block && copy.group >= copy.by->fencedGroups) {
                fail(copy.group >= copy.by->landedGroups ? "multiplies with memory to which a copy is on its way"
                                                         : "multiplies with memory that was copied without fenceShared after it",
                        site);
            }
        }
        pieces.push_back(at / PIECE);
    }
    return pieces;
}

void compute(Started& product, unsigned columns, bool add) {
    float a[16][16];
    for (unsigned lane = 0; lane < WARP; lane++) {
        for (unsigned word = 0; word < 4; word++) {
            for (unsigned i = 0; i < 2; i++) {
                a[lane / 4 + word % 2 * 8][lane % 4 * 2 + word / 2 * 8 + i] =
                        toFloat(bf16{static_cast<std::uint16_t>(product.a->values[lane][word] >> 16 * i)});
            }
        }
    }
    for (unsigned j = 0; j < columns; j++) {
        Eight b[16];
        for (unsigned column = 0; column < 8; column++) {
            std::uint16_t bits[16];
            std::memcpy(bits, product.bytes.data() + (8 * j + column) * 2 * PIECE, sizeof(bits));
            for (unsigned k = 0; k < 16; k++) {
                b[k][column] = toFloat(bf16{bits[k]});
            }
        }
        for (unsigned row = 0; row < 16; row++) {
            Eight sum{};
            for (unsigned k = 0; k < 16; k++) {
                sum += a[row][k] * b[k];
            }
            for (unsigned column = 0; column < 8; column++) {
                const unsigned lane = row % 8 * 4 + column / 2;
                float& value = product.sums->values[lane][4 * j + row / 8 * 2 + column % 2];
                value = add ? value + sum[column] : sum[column];
            }
        }
    }
}

// Starts the product that all lanes have laid down.
void start(WarpProducts& warp, const Thread& me, Site site) {
    const Laid& laid = warp.laid[0];
    for (const Laid& other : warp.laid) {
        if (other.b != laid.b || other.columns != laid.columns || other.add != laid.add) {
            fail("multiplies with different matrices in one warp", site);
        }
    }
    warp.history.emplace_back(laid.b, laid.columns);
    BlockProducts& all = products();
    for (unsigned other = me.warpNumber / WARPS * WARPS; other / WARPS == me.warpNumber / WARPS; other++) {
        const auto& history = all.warps[other].history;
        if (history.size() >= warp.history.size() && history[warp.history.size() - 1] != warp.history.back()) {
            fail("multiplies with another matrix than warp " + std::to_string(other) + " of its warpgroup", site);
        }
    }
    Accumulator* sums = find(warp.sums, laid.sums);
    Operand* a = find(warp.operands, laid.a);
    if (sums == nullptr || a == nullptr) {
        fail("multiplies with registers that no fence has ordered", site);
    }
    mustBePoison(*sums, site);
    mustBeSame(*a, "multiplies with an operand that was written after its fence", site);
    Started product{sums, a, piecesOf(*me.block, laid.b, laid.columns, site), {}, warp.group};
    for (unsigned piece : product.pieces) {
        const unsigned char* from = me.block->dynamicShared + piece * PIECE;
        product.bytes.insert(product.bytes.end(), from, from + PIECE);
        all.reads[piece]++;
    }
    compute(product, laid.columns, laid.add);
    sums->underWay++;
    a->underWay++;
    warp.started.push_back(std::move(product));
}

void end(Started& product, const Block& block, Site site) {
    for (std::size_t i = 0; i < product.pieces.size(); i++) {
        const unsigned char* now = block.dynamicShared + product.pieces[i] * PIECE;
        if (std::memcmp(now, product.bytes.data() + i * PIECE, PIECE) != 0) {
            fail("ends a product whose shared memory was changed before", site);
        }
        products().reads[product.pieces[i]]--;
    }
    mustBeSame(*product.a, "ends a product whose operand was changed before", site);
    product.a->underWay--;
    product.sums->underWay--;
}

// Gives the threads the sums that no product has any more.
void release(WarpProducts& warp, Site site) {
    for (std::unique_ptr<Accumulator>& sums : warp.sums) {
        if (sums->underWay == 0) {
            mustBePoison(*sums, site);
            for (unsigned lane = 0; lane < WARP; lane++) {
                std::copy(sums->values[lane].begin(), sums->values[lane].end(), sums->at[lane]);
            }
            sums = nullptr;
        }
    }
    std::erase(warp.sums, nullptr);
}
}

void beginProducts() {
    BlockProducts& all = products();
    all.block++;
    if (all.used) {
        all.warps.clear();
        std::fill(all.reads.begin(), all.reads.end(), 0);
        all.used = false;
    }
}

std::string faultOfProducts() {
    const BlockProducts& all = products();
    for (std::size_t i = 0; all.used && i < all.warps.size(); i++) {
        if (!all.warps[i].started.empty()) {
            return "warp " + std::to_string(i) + " ended without waiting for its products";
        }
        if (all.warps[i].history.size() != all.warps[i / WARPS * WARPS].history.size()) {
            return "warps " + std::to_string(i / WARPS * WARPS) + " and " + std::to_string(i)
                    + " of a warpgroup have different numbers of products";
        }
    }
    return "";
}

void noteCopy(const Thread& me, const void* shared, unsigned bytes, Site site) {
    if (!inShared(*me.block, shared)) {
        return;
    }
    BlockProducts& all = products();
    const unsigned at = static_cast<unsigned>(static_cast<const unsigned char*>(shared) - me.block->dynamicShared);
    if (all.used && all.reads[at / PIECE] != 0) {
        fail("copies to shared memory that a product under way reads", site);
    }
    for (unsigned word = at / 4; word < (at + bytes) / 4; word++) {
        all.copies[word] = {all.block, me.copyGroup, &me};
    }
}

void fenceShared() { current->fencedGroups = current->landedGroups; }

unsigned long long sharedUnits(const void* address, Site site) {
    const Block& block = *current->block;
    if (!inShared(block, address)) {
        fail("describes a matrix outside of dynamic shared memory", site);
    }
    mustBeAligned(address, PIECE, site);
    return static_cast<unsigned long long>(static_cast<const unsigned char*>(address) - block.dynamicShared) / PIECE;
}

void fenceRegisters(float* sums, unsigned columns, const unsigned* a, Site site) {
    Thread& me = *current;
    WarpProducts& warp = productsOf(me, site);
    warp.laid[me.lane] = {sums, a, 0, columns, false};
    if (!warpMeeting(me, Meeting::FENCE_REGISTERS, site)) {
        return;
    }
    Accumulator* fenced = find(warp.sums, warp.laid[0].sums);
    if (fenced != nullptr) {
        mustBePoison(*fenced, site);
    } else {
        fenced = warp.sums.emplace_back(std::make_unique<Accumulator>()).get();
        for (unsigned lane = 0; lane < WARP; lane++) {
            fenced->at[lane] = warp.laid[lane].sums;
            fenced->values[lane].assign(fenced->at[lane], fenced->at[lane] + 4 * columns);
        }
        poison(*fenced);
    }
    Operand* operand = find(warp.operands, warp.laid[0].a);
    if (operand == nullptr) {
        operand = warp.operands.emplace_back(std::make_unique<Operand>()).get();
    }
    for (unsigned lane = 0; lane < WARP; lane++) {
        operand->at[lane] = warp.laid[lane].a;
        if (operand->underWay == 0) {
            std::memcpy(operand->values[lane], operand->at[lane], sizeof(operand->values[lane]));
        }
    }
    mustBeSame(*operand, "changes the operand of a product under way", site);
}

void multiplyWarpgroup(float* sums, unsigned columns, const unsigned* a, std::uint64_t b, bool add, Site site) {
    Thread& me = *current;
    WarpProducts& warp = productsOf(me, site);
    warp.laid[me.lane] = {sums, a, b, columns, add};
    if (warpMeeting(me, Meeting::MULTIPLY_WARPGROUP, site)) {
        start(warp, me, site);
    }
}

void commitProducts(Site site) {
    WarpProducts& warp = productsOf(*current, site);
    if (warpMeeting(*current, Meeting::COMMIT_PRODUCTS, site)) {
        warp.group++;
    }
}

void awaitProducts(unsigned pending, Site site) {
    Thread& me = *current;
    WarpProducts& warp = productsOf(me, site);
    if (!warpMeeting(me, Meeting::AWAIT_PRODUCTS, site)) {
        return;
    }
    const auto hasEnded = [&](const Started& each) { return each.group + pending < warp.group; };
    for (Started& each : warp.started) {
        if (hasEnded(each)) {
            end(each, *me.block, site);
        }
    }
    std::erase_if(warp.started, hasEnded);
    release(warp, site);
}
}
