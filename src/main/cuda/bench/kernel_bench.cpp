// Times the shipped kernels through the driver, without Java, for ncu and compute-sanitizer. Its rows are those of
// `selfcheck --only cuda_kernels`. build.sh --bench builds it, with the kernels' argument structs in kernel_structs.h.
// Products of 64 and more rows are computed by cuBLASLt as well, if the loader finds the library.
//
//   kernel_bench PTX [--wgmma PTX] [--own] [--tiny | --dependent] [--once] [--only TEXT] [--rows N,N,...]
//   kernel_bench --shapes
//
//   --wgmma      products of 65 and more rows also by the kernels of this module (compute capability 9.0,
//                kernels-sm90a.ptx)
//   --own        nothing by cuBLASLt, so that a tool watches these kernels alone
//   --tiny       every kernel on small widths, with K longer than every ring, one launch each: compute-sanitizer
//   --dependent  as --tiny, in graphs of three launches, ordinary ones and dependent ones (compute capability 9.0,
//                kernels-sm90.ptx); fails if their results differ
//   --once       one launch of each kernel and no graph: ncu
//   --only       rows whose name has this text
//   --rows       tokens of products
//   --shapes     prints launch shapes; needs no driver
#include <fstream>
#include <sstream>

#include "library_products.h"

namespace {

class Bench : private LibraryProducts {
public:
    using LibraryProducts::LibraryProducts;

    // The exit status.
    //
    // `library`: whether products by cuBLASLt are timed.
    int run(bool library) {
        if (way != Way::DEPENDENT) { // kernels of rates wait for none
            rates();
        }
        products();
        attention();
        sampling();
        if (sizes.everyKernel) {
            others();
        }
        if (library) { // last, so that its failure costs no other row
            libraryProducts();
        }
        return faults == 0 ? 0 : 1;
    }

private:
    void rates() {
        const unsigned blocks = static_cast<unsigned>(8 * multiprocessors);
        float* out = zeros<float>(static_cast<long long>(blocks) * RATE_THREADS);
        ReadRate read = {};
        read.from = random<void>(NIBBLES, sizes.readBytes);
        read.out = reinterpret_cast<unsigned*>(out);
        read.bytes = sizes.readBytes;
        MmaRate mma = {};
        mma.out = out;
        mma.iterations = sizes.tensorIterations;
        const Handle readKernel = kernel("read_rate", 0);
        const Handle mmaKernel = kernel("mma_rate", 0);
        if (wanted("read") || way == Way::GRAPHS) {
            const double seconds = time(1, [&](int) { launch(readKernel, read, blocks, 1, 1, RATE_THREADS); });
            readRate = static_cast<double>(read.bytes) / seconds;
            report("read", seconds, static_cast<double>(read.bytes), 0);
        }
        if (wanted("mma") || way == Way::GRAPHS) {
            const double flops = 8.0 * 4096 * blocks * (RATE_THREADS / 32) * mma.iterations;
            const double seconds = time(1, [&](int) { launch(mmaKernel, mma, blocks, 1, 1, RATE_THREADS); });
            tensorRate = flops / seconds;
            report("mma", seconds, 0, flops);
        }
        if (wanted("launch")) {
            read.bytes = 0;
            report("launch", time(sizes.launches, [&](int) { launch(readKernel, read, 1, 1, 1, RATE_THREADS); }), 0, 0);
        }
        for (bool behind : {false, true}) {
            const char* name = behind ? "step_behind" : "step_awaited";
            if (wanted(name) && (way == Way::GRAPHS || sizes.everyKernel)) {
                read.bytes = 0;
                const auto nothing = [&](int) { launch(readKernel, read, 1, 1, 1, RATE_THREADS); };
                report(name, awaitedSeconds(sizes.launches, behind, STEP_LAUNCHES, nothing), 0, 0);
            }
        }
        releaseAll();
    }

    void products() {
        for (const char* format : {"bf16", "fp8", "int4", "int4_g64", "int4_g32"}) {
            for (const Shape& shape : shapesOf(sizes)) {
                product(format, shape);
            }
        }
    }

    void product(const std::string& format, const Shape& shape) {
        const std::string prefix = format + "_" + shape.name + "_";
        const auto chosen = [&](int rows) {
            return wanted(prefix + std::to_string(rows)) || wanted(prefix + "norm_" + std::to_string(rows))
                || wantedByWarpgroups(prefix, rows);
        };
        if (std::none_of(sizes.rows.begin(), sizes.rows.end(), chosen)) {
            return;
        }
        const int k = padded(shape.inputs);
        const int rowBytes = format == "bf16" ? 2 * k : format == "fp8" ? k : k / 2;
        const int tileRows = tilesOf(shape.outputs, TILE_ROWS * PADDED_TILES) * TILE_ROWS * PADDED_TILES;
        const long long values = static_cast<long long>(tileRows) * rowBytes;
        const long long scales = format == "bf16" ? 0 : 4ll * (format == "fp8" ? shape.outputs : tileRows * (k / groupOf(format)));
        const bool gated = shape.finish == FINISH_SWIGLU;
        const int width = gated ? padded(shape.outputs / 2) : shape.outputs;
        // Tiles read whole blocks of activations.
        const int most = tilesOf(*std::max_element(sizes.rows.begin(), sizes.rows.end()), 128) * 128;
        std::vector<Product> products(static_cast<size_t>(copies(values + scales)));
        const bf16* x = random<bf16>(BF16, 2ll * most * k);
        void* out = result<float>(static_cast<long long>(most) * width);
        const bool added = shape.finish == FINISH_ADD;
        float* squares = result<float>(static_cast<long long>(most) * tilesOf(sizes.hidden, MATVEC_OUTPUTS));
        NormIn normIn = {};
        normIn.squares = squares;
        normIn.width = sizes.hidden;
        normIn.epsilon = 1e-5f;
        NormOut normOut = {};
        normOut.weight = random<float>(FLOATS, 4ll * sizes.hidden);
        normOut.out = result<bf16>(static_cast<long long>(most) * padded(sizes.hidden));
        normOut.squares = squares;
        normOut.stride = padded(sizes.hidden);
        SplitK split = {};
        split.partial = zeros<float>(2ll * multiprocessors * 128 * (MATMUL_OUTPUTS_128 + 4));
        split.arrivals = zeros<unsigned>(2ll * multiprocessors);
        split.count = 1;
        for (Product& each : products) {
            each = {};
            each.values = random<uint4>(format == "bf16" ? BF16 : format == "fp8" ? FP8 : NIBBLES, values);
            each.scales = random<void>(groupOf(format) > 0 ? NIBBLE_SCALES : FLOATS, scales);
            each.x = x;
            each.out = out;
            each.xStride = k;
            each.outStride = width;
            each.outputs = shape.outputs;
            each.paddedK = k;
            each.finish = shape.finish;
            each.split = split;
        }
        for (int rows : sizes.rows) {
            const double perResult = gated ? 1 : added ? 8 : 4;
            const double bytes =
                static_cast<double>(values + scales) + rows * (2.0 * shape.inputs + perResult * shape.outputs);
            const double flops = 2.0 * rows * shape.inputs * shape.outputs;
            if (wanted(prefix + std::to_string(rows))) {
                report(prefix + std::to_string(rows), productSeconds(format, products, rows), bytes, flops);
            }
            if (wantedByWarpgroups(prefix, rows)) {
                report("wgmma_" + prefix + std::to_string(rows), warpgroupSeconds(format, products, rows), bytes, flops);
            }
            if (rows <= NORM_ROWS && wanted(prefix + "norm_" + std::to_string(rows))) {
                normIn.parts = tilesOf(sizes.hidden, rows <= 4 ? MATVEC_OUTPUTS : tileOf(format, rows).normPart);
                normIn.tokensStride = rows == 3 ? 4 : rows;
                normOut.tokensStride = normIn.tokensStride;
                for (Product& each : products) {
                    each.normIn = added ? NormIn{} : normIn;
                    each.normOut = added ? normOut : NormOut{};
                }
                report(prefix + "norm_" + std::to_string(rows), productSeconds(format, products, rows), bytes, flops);
                for (Product& each : products) {
                    each.normIn = {};
                    each.normOut = {};
                }
            }
        }
        releaseAll();
    }

    bool wantedByWarpgroups(const std::string& prefix, int rows) const {
        return warpgroupModule != nullptr && rows >= LEAST_WARPGROUP_ROWS
            && wanted("wgmma_" + prefix + std::to_string(rows));
    }

    double productSeconds(const std::string& format, std::vector<Product>& products, int rows) {
        if (rows > 4) {
            const Tile tile = tileOf(format, rows);
            return tileSeconds(module, "matmul_" + format, tile, format, products, rows);
        }
        const int tokens = rows <= 2 ? rows : 4;
        const Handle of = kernel("matvec_" + format + "_" + std::to_string(tokens), MATVEC_SHARED);
        return productSeconds(of, {tokens, MATVEC_OUTPUTS, MATVEC_THREADS, MATVEC_SHARED, MATVEC_OUTPUTS}, products, rows, 1);
    }

    double warpgroupSeconds(const std::string& format, std::vector<Product>& products, int rows) {
        return tileSeconds(warpgroupModule, "wgmma_" + format, warpgroupTileOf(format, rows), format, products, rows);
    }

    double tileSeconds(Handle from, const std::string& name, const Tile& tile, const std::string& format,
                       std::vector<Product>& products, int rows) {
        const int k = products[0].paddedK;
        const int chunks = (format == "bf16" ? 2 * k : format == "fp8" ? k : k / 2) / 64;
        const Handle of = kernel(from, name + "_" + std::to_string(tile.tokens), tile.sharedBytes);
        int blocksEach = 0;
        driver.blocksEach(&blocksEach, of, tile.threads, static_cast<size_t>(tile.sharedBytes));
        return productSeconds(of, tile, products, rows,
                              splitsOf(tile, rows, products[0].outputs, chunks, blocksEach, multiprocessors));
    }

    double productSeconds(Handle of, const Tile& tile, std::vector<Product>& products, int rows, int splits) {
        const unsigned outputTiles = static_cast<unsigned>(tilesOf(products[0].outputs, tile.outputs));
        const unsigned tokenTiles = static_cast<unsigned>(tilesOf(rows, tile.tokens));
        const bool few = rows <= 4;
        return time(std::max(sizes.launches, static_cast<int>(products.size())), [&](int i) {
            Product& each = products[static_cast<size_t>(i) % products.size()];
            each.tokens = rows;
            each.split.count = splits;
            launch(of, each, few ? outputTiles : tokenTiles, few ? 1u : outputTiles, static_cast<unsigned>(splits),
                   static_cast<unsigned>(tile.threads), tile.sharedBytes);
        });
    }

    void attention() {
        std::vector<int> dimensions = {sizes.headDim};
        dimensions.insert(dimensions.end(), sizes.otherHeads.begin(), sizes.otherHeads.end());
        for (const char* format : {"f16", "fp8"}) {
            for (int headDim : dimensions) {
                for (const Context& of : sizes.contexts) {
                    const std::string heads = headDim == sizes.headDim ? "" : "heads_of_" + std::to_string(headDim) + "_";
                    const std::string name = std::string("attend_") + format + "_" + heads + of.name;
                    if (wanted(name)) {
                        attend(name, format, headDim, of);
                        releaseAll();
                    }
                }
            }
        }
    }

    // A sequence an item, its positions in ranges of an equal share, as AttentionTiling of the Java side without its
    // rounding.
    std::vector<AttentionItem> itemsOf(const Context& of, const std::vector<int>& tables) const {
        long long sum = 0;
        for (int length : of.positions) {
            sum += length;
        }
        const long long wanted = (2 * multiprocessors + sizes.kvHeads - 1) / sizes.kvHeads;
        const int share = static_cast<int>((sum + wanted - 1) / wanted);
        const int range = std::max(LEAST_RANGE_POSITIONS, (share + ATTEND_POSITIONS - 1) / ATTEND_POSITIONS * ATTEND_POSITIONS);
        std::vector<AttentionItem> items;
        int partial = 0;
        for (size_t i = 0; i < of.positions.size(); i++) {
            const int ranges = (of.positions[i] + range - 1) / range;
            for (int r = 0; r < ranges; r++) {
                items.push_back({static_cast<int>(i) * of.rows, of.rows, tables[i], r * range,
                                 std::min(of.positions[i], (r + 1) * range), r, ranges, partial});
            }
            partial += ranges > 1 ? ranges * of.rows : 0;
        }
        return items;
    }

    void attend(const std::string& name, const std::string& format, int headDim, const Context& of) {
        const int blockTokens = 16;
        const int rows = static_cast<int>(of.positions.size()) * of.rows;
        const int longest = *std::max_element(of.positions.begin(), of.positions.end());
        const int qkv = (sizes.heads + 2 * sizes.kvHeads) * headDim;
        const int headStride = (headDim + 7) / 8 * 8;
        const int scaleBytes = format == "f16" ? 0 : 1;
        const int rowBytes = headStride * (format == "f16" ? 2 : 1);
        const long long tokenBytes = 2ll * sizes.kvHeads * (rowBytes + scaleBytes);
        std::vector<StepRow> stepRows;
        std::vector<int> tables;
        std::vector<int> blocks;
        long long sum = 0;
        for (int length : of.positions) {
            tables.push_back(static_cast<int>(blocks.size()));
            for (int row = of.rows; row > 0; row--) {
                stepRows.push_back({0, length - row, tables.back(), length - row + 1});
            }
            for (int i = 0; i < (length + blockTokens - 1) / blockTokens; i++) {
                blocks.push_back(static_cast<int>(blocks.size()));
            }
            sum += length;
        }
        std::shuffle(blocks.begin(), blocks.end(), std::mt19937(1));
        const std::vector<AttentionItem> items = itemsOf(of, tables);
        const long long partials = static_cast<long long>(items.size()) * of.rows;
        Attention first = {};
        first.heads.qkv = random<float>(FLOATS, 4ll * rows * qkv);
        first.heads.rotary = random<float>(FLOATS, 4ll * longest * headDim);
        first.heads.stride = qkv;
        first.heads.heads = sizes.heads;
        first.heads.kvHeads = sizes.kvHeads;
        first.heads.headDim = headDim;
        first.heads.epsilon = 1e-5f;
        first.q = random<half>(F16, 2ll * rows * sizes.heads * headStride);
        first.placed = of.rows > 1 ? 1 : 0;
        first.items = copied(items);
        first.rows = copied(stepRows);
        first.blockTables = copied(blocks);
        first.partial = zeros<float>(partials * sizes.heads * (padded4(headDim) + 4));
        first.arrivals = zeros<unsigned>(static_cast<long long>(rows) * sizes.kvHeads);
        first.outStride = padded(sizes.heads * headDim);
        first.out = result<bf16>(static_cast<long long>(rows) * first.outStride);
        first.blockTokens = blockTokens;
        std::vector<Attention> layers(static_cast<size_t>(copies(sum * tokenBytes)), first);
        for (Attention& layer : layers) {
            const long long keysAndValues = 2ll * sizes.kvHeads * static_cast<long long>(blocks.size()) * blockTokens;
            layer.cache.entries = random<void>(format == "f16" ? F16 : FP8, keysAndValues * rowBytes);
            layer.cache.scales =
                scaleBytes == 0 ? nullptr : random<unsigned char>(KV_SCALES, keysAndValues * scaleBytes);
        }
        const bool tensorCores = headDim == 64 || headDim == 128;
        const int shared = tensorCores ? ATTEND_SHARED : 0;
        const Handle attendKernel = kernel("attend_" + format + "_" + (tensorCores ? std::to_string(headDim) : "any"), shared);
        const double seconds = time(std::max(sizes.launches, static_cast<int>(layers.size())), [&](int i) {
            launch(attendKernel, layers[static_cast<size_t>(i) % layers.size()],
                   static_cast<unsigned>(items.size()) * static_cast<unsigned>(sizes.kvHeads), 1, 1, ATTEND_THREADS, shared);
        });
        report(name, seconds, static_cast<double>(sum * tokenBytes), 0);
    }

    static int padded4(int n) { return (n + 3) / 4 * 4; }

    void sampling() {
        const int most = 64;
        std::mt19937 generator(1);
        std::normal_distribution<float> normal(0.0f, 3.0f);
        std::vector<float> logits(static_cast<size_t>(most) * static_cast<size_t>(sizes.vocabulary));
        const size_t drawn = std::min(logits.size(), static_cast<size_t>(1 << 20));
        for (size_t i = 0; i < logits.size(); i++) {
            logits[i] = i < drawn ? normal(generator) : logits[i - drawn];
        }
        Sampling sample = {};
        sample.logits = copied(logits);
        sample.tokens = result<int>(most);
        sample.stride = sizes.vocabulary;
        sample.vocabulary = sizes.vocabulary;
        const auto blocksOf = [&](int rows) {
            const int useful = (sizes.vocabulary + LEAST_SLICE_LOGITS - 1) / LEAST_SLICE_LOGITS;
            return std::max(1, std::min(2 * multiprocessors / rows, useful));
        };
        const long long blocks = std::max(blocksOf(1), most * blocksOf(most));
        sample.largest = zeros<float>(most);
        sample.slices = zeros<unsigned long long>(blocks);
        sample.arrivals = zeros<unsigned>(most);
        sample.stepMass = zeros<unsigned long long>(static_cast<long long>(most) * SAMPLE_STEPS);
        sample.stepCount = zeros<unsigned>(static_cast<long long>(most) * SAMPLE_STEPS);
        sample.places = zeros<unsigned>(blocks * SAMPLE_STEPS);
        sample.candidates = zeros<int>(static_cast<long long>(most) * sizes.vocabulary);
        const Handle likeliest = kernel("sample_likeliest", 0);
        const Handle masses = kernel("sample_masses", 0);
        const Handle draw = kernel("sample_draw", 0);
        for (bool greedy : {true, false}) {
            SampleChoice choice = {};
            choice.temperature = greedy ? 0.0f : 1.0f;
            choice.topP = greedy ? 1.0f : 0.9f;
            choice.greedy = greedy ? 1 : 0;
            choice.uniform = 0.5;
            sample.choice = copied(std::vector<SampleChoice>(most, choice));
            for (int rows : {1, most}) {
                const std::string name = (greedy ? "sample_greedy_" : "sample_top_p_") + std::to_string(rows);
                if (wanted(name)) {
                    const double seconds = time(sizes.launches, [&](int) {
                        const unsigned each = static_cast<unsigned>(blocksOf(rows));
                        const unsigned count = static_cast<unsigned>(rows);
                        launch(likeliest, sample, each, count, 1, SAMPLE_THREADS);
                        if (!greedy) {
                            launch(masses, sample, each, count, 1, SAMPLE_THREADS);
                            launch(draw, sample, each, count, 1, SAMPLE_THREADS);
                        }
                    });
                    report(name, seconds, 4.0 * rows * sizes.vocabulary, 0);
                }
            }
        }
        releaseAll();
    }
};

std::string textOf(const char* file) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    if (!in) {
        std::fprintf(stderr, "kernel_bench: %s could not be read\n", file);
        std::exit(2);
    }
    return text.str();
}

int usage() {
    std::fprintf(stderr, "Usage: kernel_bench PTX [--wgmma PTX] [--own] [--tiny | --dependent] [--once] [--only TEXT] "
                         "[--rows N,N,...], or --shapes\n");
    return 2;
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2) {
        return usage();
    }
    if (std::string(arguments[1]) == "--shapes") {
        printShapes();
        return 0;
    }
    bool small = false;
    bool once = false;
    bool dependent = false;
    bool own = false;
    std::string warpgroups;
    std::string only;
    std::vector<int> rows;
    for (int i = 2; i < count; i++) {
        const std::string option = arguments[i];
        if (option == "--tiny") {
            small = true;
        } else if (option == "--dependent") {
            dependent = true;
        } else if (option == "--own") {
            own = true;
        } else if (option == "--once") {
            once = true;
        } else if (option == "--wgmma" && i + 1 < count) {
            warpgroups = textOf(arguments[++i]);
        } else if (option == "--only" && i + 1 < count) {
            only = arguments[++i];
        } else if (option == "--rows" && i + 1 < count) {
            std::stringstream list(arguments[++i]);
            for (std::string each; std::getline(list, each, ',');) {
                rows.push_back(std::atoi(each.c_str()));
            }
        } else {
            return usage();
        }
    }
    if (std::any_of(rows.begin(), rows.end(), [](int each) { return each < 1 || each > 65536; })
        || (dependent && once)) {
        return usage();
    }
    Sizes sizes = small || dependent ? tiny() : llama8b();
    if (sizes.everyKernel && !warpgroups.empty()) {
        sizes.rows.push_back(200); // for tiles of 256
    }
    sizes.rows = rows.empty() ? sizes.rows : rows;
    const Way way = dependent ? Way::DEPENDENT : small || once ? Way::ONCE : Way::GRAPHS;
    return Bench(textOf(arguments[1]), warpgroups, sizes, way, only).run(!own && !dependent);
}
