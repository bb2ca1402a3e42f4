// What the benchmark measures, and the launch shapes of products.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "../tiles.h"

struct Context {
    const char* name;
    std::vector<int> positions; // of each sequence, with those of its rows
    int rows = 1;               // of each sequence; several are cached before
};

// As KernelSizes of the Java side.
struct Sizes {
    int hidden;
    int intermediate;
    int heads;
    int kvHeads;
    int headDim;
    std::vector<int> otherHeads; // dimensions of heads with which attention is launched as well
    std::vector<int> rows;
    std::vector<Context> contexts;
    int vocabulary;
    long long coldBytes; // what is read before the same memory is read again
    long long readBytes;
    int launches;
    int rounds;
    int tensorIterations;
    bool everyKernel; // also those that are not timed
};

inline Sizes llama8b() {
    std::vector<int> ragged(64);
    for (int i = 0; i < 64; i++) {
        ragged[i] = i == 0 ? 32768 : 16 * i;
    }
    return {4096, 14336, 32, 8, 128, {}, {1, 4, 16, 64, 256, 2048},
            {{"1x128", {128}}, {"1x4k", {4096}}, {"1x32k", {32768}}, {"64x4k", std::vector<int>(64, 4096)},
             {"ragged", ragged}},
            151936, 200000000, 1ll << 30, 20, 5, 4096, false};
}

inline Sizes tiny() {
    return {128, 5248, 2, 1, 64, {128, 24}, {1, 2, 3, 7, 15, 31, 63, 127},
            {{"1x20", {20}}, {"ragged", {700, 5, 64}}, {"chunks", {300, 20}, 20}}, 4099, 0, 1 << 16, 1, 0, 4, true};
}

constexpr int NORM_ROWS = 16; // most rows of products with norms

inline int padded(int inputs) { return (inputs + 127) / 128 * 128; }

enum Numbers { BF16, F16, FLOATS, FP8, NIBBLES, NIBBLE_SCALES, KV_SCALES };

// Random bits and fixed bits of a 64-bit word; numbers up to 2, none of them infinite or NaN.
constexpr std::uint64_t RANDOM[] = {0x83ff83ff83ff83ff, 0x9fff9fff9fff9fff, 0x83ffffff83ffffff, 0xbfbfbfbfbfbfbfbf,
                                    ~0ull, 0, 0x0303030303030303};
constexpr std::uint64_t FIXED[] = {0x3c003c003c003c00, 0x2000200020002000, 0x3c0000003c000000, 0, 0,
                                   0xc308211fc308211f, 0x7c7c7c7c7c7c7c7c};

struct Shape {
    const char* name;
    int inputs;
    int outputs;
    int finish;
};

// The products of a layer.
inline std::vector<Shape> shapesOf(const Sizes& sizes) {
    const int qkv = (sizes.heads + 2 * sizes.kvHeads) * sizes.headDim;
    return {{"qkv", sizes.hidden, qkv, FINISH_WRITE},
            {"output", sizes.heads * sizes.headDim, sizes.hidden, FINISH_ADD},
            {"gate_up", sizes.hidden, 2 * sizes.intermediate, FINISH_SWIGLU},
            {"down", sizes.intermediate, sizes.hidden, FINISH_ADD}};
}

struct Tile {
    int tokens;
    int outputs;
    int threads;
    int sharedBytes;
    int normPart;
};

// Inputs of a group of INT4; 0 for other formats.
inline int groupOf(const std::string& format) {
    return format == "int4" ? 128 : format == "int4_g64" ? 64 : format == "int4_g32" ? 32 : 0;
}

// As KernelTiles of the Java side.
inline Tile tileOf(const std::string& format, int tokens) {
    const int largest = format == "bf16"  ? MATMUL_SHARED_128_BF16
                        : format == "fp8" ? MATMUL_SHARED_128_FP8
                                          : MATMUL_SHARED_128_INT4;
    const int group = groupOf(format);
    const int narrow = group == 64 ? MATMUL_SHARED_32_INT4_G64 : group == 32 ? MATMUL_SHARED_32_INT4_G32 : MATMUL_SHARED_32;
    const int last = group == 64 || group == 32 ? 3 : 4;
    const Tile tiles[] = {{8, MATMUL_OUTPUTS_8, MATMUL_THREADS_8, MATMUL_SHARED_8, NORM_PART_8},
                          {16, MATMUL_OUTPUTS_16, MATMUL_THREADS_16, narrow, NORM_PART_16},
                          {32, MATMUL_OUTPUTS_32, MATMUL_THREADS_32, narrow, NORM_PART_32},
                          {64, MATMUL_OUTPUTS_64, MATMUL_THREADS_64, MATMUL_SHARED_64, NORM_PART_64},
                          {128, MATMUL_OUTPUTS_128, MATMUL_THREADS_128, largest, NORM_PART_128}};
    int tile = 0;
    while (tiles[tile].tokens < tokens && tile < last) {
        tile++;
    }
    return tiles[tile];
}

constexpr int LEAST_WARPGROUP_ROWS = 65; // tokens of a product by wgmma, at least
constexpr int LEAST_LIBRARY_ROWS = 64;   // of a product by cuBLASLt; fewer are bound by memory
constexpr int LIBRARY_TOKENS = 32;       // tokens of products by cuBLASLt are padded to a multiple
constexpr long long LIBRARY_WORKSPACE_BYTES = 32ll << 20;

// As WarpgroupTile of the Java side.
inline Tile warpgroupTileOf(const std::string& format, int tokens) {
    const int group = groupOf(format);
    if (tokens <= 128 || group == 64 || group == 32) {
        const int shared = format == "bf16"  ? WGMMA_SHARED_128_BF16
                           : format == "fp8" ? WGMMA_SHARED_128_FP8
                           : group == 64     ? WGMMA_SHARED_128_INT4_G64
                           : group == 32     ? WGMMA_SHARED_128_INT4_G32
                                             : WGMMA_SHARED_128_INT4;
        return {128, WGMMA_OUTPUTS_128, WGMMA_THREADS_128, shared, NORM_PART_128};
    }
    const int shared = format == "bf16" ? WGMMA_SHARED_256_BF16 : format == "fp8" ? WGMMA_SHARED_256_FP8 : WGMMA_SHARED_256_INT4;
    return {256, WGMMA_OUTPUTS_256, WGMMA_THREADS_256, shared, NORM_PART_128};
}

inline int tilesOf(int count, int each) { return (count + each - 1) / each; }

// Blocks that divide the inputs of a tile of outputs, as KernelTiles of the Java side.
inline int splitsOf(const Tile& tile, int tokens, int outputs, int chunks, int blocksEach, int multiprocessors) {
    const int tiles = tilesOf(tokens, tile.tokens) * tilesOf(outputs, tile.outputs);
    const int room = std::min(blocksEach, tile.tokens > 128 ? 1 : 2) * multiprocessors / tiles;
    return std::max(1, std::min({room, 8, chunks / (tile.tokens <= 32 ? 16 : 8)}));
}

inline void printTile(const char* kind, const char* format, int tokens, const Tile& tile) {
    std::printf("\n%s %s %d: %d %d %d %d %d, %d %d", kind, format, tokens, tile.tokens, tile.outputs, tile.threads,
                tile.sharedBytes, tile.normPart, splitsOf(tile, tokens, 4096, 128, 1, 132),
                splitsOf(tile, tokens, 1024, 48, 3, 132));
}

// The launch shapes and widths, for a test that compares them with those of the Java side.
inline void printShapes() {
    const Sizes sizes = llama8b();
    std::printf("widths %d %d %d %d %d %d\n", sizes.hidden, sizes.intermediate, sizes.heads, sizes.kvHeads, sizes.headDim,
                sizes.vocabulary);
    std::printf("effort %lld %lld %d %d %d\n", sizes.coldBytes, sizes.readBytes, sizes.launches, sizes.rounds,
                sizes.tensorIterations);
    std::printf("cublaslt %d %d %lld\n", LEAST_LIBRARY_ROWS, LIBRARY_TOKENS, LIBRARY_WORKSPACE_BYTES);
    std::printf("rows");
    for (int rows : sizes.rows) {
        std::printf(" %d", rows);
    }
    for (const Context& context : sizes.contexts) {
        std::printf("\ncontext %s", context.name);
        for (int positions : context.positions) {
            std::printf(" %d", positions);
        }
    }
    for (const char* format : {"bf16", "fp8", "int4", "int4_g64", "int4_g32"}) {
        for (int tokens = 5; tokens < 300; tokens += 3) {
            const Tile tile = tileOf(format, tokens);
            printTile("tile", format, tokens, tile);
            if (tokens >= LEAST_WARPGROUP_ROWS) {
                printTile("wgmma", format, tokens, warpgroupTileOf(format, tokens));
            }
        }
    }
    std::printf("\n");
}
