// The kernels beside products, attention and sampling, once each on small sizes: for compute-sanitizer.
#pragma once

#include "kernel_structs.h"
#include "launcher.h"

class OtherKernels : protected Launcher {
protected:
    using Launcher::Launcher;

    void others() {
        for (const char* format : {"bf16", "fp8", "int4", "int4_g64", "int4_g32"}) {
            weights(format);
            releaseAll();
        }
        for (const char* cache : {"f16", "fp8"}) {
            place(cache);
            copyBlocks(cache);
            releaseAll();
        }
        norm(false);
        norm(true);
        reorder();
        releaseAll();
    }

private:
    static constexpr int ROWS = 37;     // tokens, more than a block of the epilogue
    static constexpr int OUTPUTS = 200; // more than a block of the epilogue, no whole tiles
    static constexpr int INPUTS = 600;  // of 640, with padding
    static constexpr int POSITIONS = 300;

    template <typename T>
    void once(const std::string& name, const std::string& kernelName, T& argument, int x, int y, int threads) {
        if (wanted(name)) {
            const Handle of = kernel(kernelName, 0);
            report(name, time(1, [&](int) {
                       launch(of, argument, static_cast<unsigned>(x), static_cast<unsigned>(y), 1,
                              static_cast<unsigned>(threads));
                   }), 0, 0);
        }
    }

    void weights(const std::string& format) {
        const std::string precision = format.substr(0, 4) == "int4" ? "int4" : format;
        const int k = padded(INPUTS);
        const int chunks = (format == "bf16" ? 2 * k : format == "fp8" ? k : k / 2) / 64;
        const int tiles = tilesOf(OUTPUTS, TILE_ROWS * PADDED_TILES) * PADDED_TILES;
        const long long bytes = 64ll * chunks * TILE_ROWS * tiles;
        const Numbers numbers = format == "bf16" ? BF16 : format == "fp8" ? FP8 : NIBBLES;
        Packing packing = {random<unsigned char>(numbers, bytes), result<uint4>(bytes / 16), chunks};
        if (format == precision && way != Way::DEPENDENT) { // a kernel of uploads, which waits for none
            once("pack_" + format, "pack_" + format, packing, tilesOf(chunks, PACK_THREADS / 32), tiles, PACK_THREADS);
        }
        const uint4* values = random<uint4>(numbers, bytes);
        const void* scales = groupOf(format) == 0
            ? random<void>(FLOATS, 4ll * tiles * TILE_ROWS)
            : random<void>(NIBBLE_SCALES, 4ll * tiles * TILE_ROWS * (k / groupOf(format)));
        Widening widening = {values, scales, result<bf16>(static_cast<long long>(tiles) * TILE_ROWS * k), chunks};
        once("widen_" + format, "widen_" + format, widening, tilesOf(chunks, WIDEN_THREADS / 32), tiles, WIDEN_THREADS);
        embed(format, values, scales, chunks);
        if (format == precision) {
            epilogue(format, scales);
        }
    }

    // Rows of a table as of a step, which the same launch copies.
    void embed(const std::string& format, const uint4* values, const void* scales, int chunks) {
        if (way == Way::DEPENDENT) { // first in its step
            return;
        }
        std::vector<StepRow> rows;
        for (int i = 0; i < ROWS; i++) {
            rows.push_back({i * 31 % OUTPUTS, i * 31 % OUTPUTS, 0, 0});
        }
        std::vector<int> table(4 * 2000, 7); // more pieces than threads copy at a time
        table[0] = 1900;
        Embedding embedding = {};
        embedding.values = values;
        embedding.scales = scales;
        embedding.rows = copied(rows);
        embedding.positionTable = random<float>(FLOATS, 4ll * OUTPUTS * INPUTS);
        embedding.residual = result<float>(ROWS * INPUTS);
        embedding.chunks = chunks;
        embedding.hidden = INPUTS;
        embedding.norm.weight = random<float>(FLOATS, 4ll * INPUTS);
        embedding.norm.out = result<bf16>(static_cast<long long>(ROWS) * padded(INPUTS));
        embedding.norm.squares = result<float>(ROWS);
        embedding.norm.stride = padded(INPUTS);
        embedding.norm.tokensStride = 1;
        embedding.staging.from = reinterpret_cast<const uint4*>(copied(table));
        embedding.staging.to = reinterpret_cast<uint4*>(result<int>(4 * 2000));
        embedding.staging.fixedPieces = 1100;
        embedding.staging.blocks = 2;
        once("embed_" + format, "embed_" + format, embedding, embedding.staging.blocks + ROWS, 1, EMBED_THREADS);
    }

    void epilogue(const std::string& format, const void* scales) {
        Epilogue e = {};
        e.product.scales = scales;
        e.product.bias = random<float>(FLOATS, 4ll * OUTPUTS);
        e.product.out = result<float>(ROWS * OUTPUTS);
        e.product.outStride = OUTPUTS;
        e.product.outputs = OUTPUTS;
        e.product.finish = FINISH_ADD;
        e.product.tokens = ROWS;
        e.product.normOut.weight = random<float>(FLOATS, 4ll * OUTPUTS);
        e.product.normOut.out = result<bf16>(static_cast<long long>(ROWS) * padded(OUTPUTS));
        e.product.normOut.squares = result<float>(ROWS * tilesOf(OUTPUTS, EPILOGUE_OUTPUTS));
        e.product.normOut.stride = padded(OUTPUTS);
        e.product.normOut.tokensStride = ROWS;
        e.sums = random<float>(FLOATS, 4ll * ROWS * padded(OUTPUTS));
        e.sumsStride = padded(OUTPUTS);
        e.outputs = OUTPUTS;
        once("epilogue_" + format, "epilogue_" + format, e, tilesOf(ROWS, EPILOGUE_TOKENS),
             tilesOf(OUTPUTS, EPILOGUE_OUTPUTS), EPILOGUE_THREADS);
    }

    void place(const std::string& cache) {
        const int heads = 3, kvHeads = 2, headDim = 20, stride = 24, blockTokens = 16;
        std::vector<StepRow> rows;
        std::vector<int> blocks;
        for (int i = 0; i < ROWS; i++) {
            rows.push_back({0, i, i == ROWS - 1 ? -1 : 0, i + 1}); // the last row is padding
        }
        for (int i = 0; i <= ROWS / blockTokens; i++) {
            blocks.push_back(ROWS / blockTokens - i);
        }
        const long long entries = 2ll * kvHeads * static_cast<long long>(blocks.size()) * blockTokens;
        Placement placement = {};
        placement.heads.qkv = random<float>(FLOATS, 4ll * ROWS * (heads + 2 * kvHeads) * headDim);
        placement.heads.queryNorm = random<float>(FLOATS, 4ll * headDim);
        placement.heads.keyNorm = placement.heads.queryNorm;
        placement.heads.rotary = random<float>(FLOATS, 4ll * POSITIONS * headDim);
        placement.heads.stride = (heads + 2 * kvHeads) * headDim;
        placement.heads.heads = heads;
        placement.heads.kvHeads = kvHeads;
        placement.heads.headDim = headDim;
        placement.heads.epsilon = 1e-5f;
        placement.rows = copied(rows);
        placement.blockTables = copied(blocks);
        placement.q = result<half>(ROWS * heads * stride);
        placement.cache.entries = result<unsigned char>(entries * stride * (cache == "f16" ? 2 : 1));
        placement.cache.scales = cache == "f16" ? nullptr : result<unsigned char>(entries);
        placement.blockTokens = blockTokens;
        once("place_" + cache, "place_" + cache, placement, ROWS, 1, PLACE_THREADS);
    }

    // Blocks of whole pieces, or of bytes.
    void copyBlocks(const std::string& cache) {
        if (way == Way::DEPENDENT) { // of transfers, which wait for none
            return;
        }
        const long long blockBytes = cache == "f16" ? 4096 : 12;
        BlockCopy copy = {};
        copy.from = random<void>(FP8, 2 * 8 * blockBytes);
        copy.to = result<char>(2 * 6 * blockBytes);
        copy.fromBlocks = copied(std::vector<int>{7, 0, 3});
        copy.toBlocks = copied(std::vector<int>{1, 5, 2});
        copy.blockBytes = blockBytes;
        copy.fromLayerBytes = 8 * blockBytes;
        copy.toLayerBytes = 6 * blockBytes;
        copy.count = 3;
        once("copy_blocks_" + cache, "copy_blocks", copy, copy.count, 2, COPY_THREADS);
    }

    void norm(bool centred) {
        const int width = 5000; // more than the values that threads keep
        Norm n = {};
        n.x = random<float>(FLOATS, 4ll * ROWS * width);
        n.pick = copied(std::vector<int>{0, ROWS - 1, -1});
        n.weight = random<float>(FLOATS, 4ll * width);
        n.bias = centred ? random<float>(FLOATS, 4ll * width) : nullptr;
        n.out = result<bf16>(3ll * padded(width));
        n.xStride = width;
        n.outStride = padded(width);
        n.width = width;
        n.epsilon = 1e-5f;
        once(centred ? "norm_centred" : "norm", "norm", n, 3, 1, NORM_THREADS);
    }

    // Inputs in the reverse order.
    void reorder() {
        Reordering r = {};
        r.stride = padded(INPUTS);
        r.width = INPUTS;
        r.x = random<bf16>(BF16, 2ll * ROWS * r.stride);
        std::vector<int> order(INPUTS);
        for (int i = 0; i < INPUTS; i++) {
            order[i] = INPUTS - 1 - i;
        }
        r.order = copied(order);
        r.out = result<bf16>(static_cast<long long>(ROWS) * r.stride);
        once("reorder", "reorder", r, ROWS, tilesOf(r.stride, REORDER_THREADS), REORDER_THREADS);
    }
};
