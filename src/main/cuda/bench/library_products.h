// The products of a layer by cuBLASLt on BF16 weights, the library's alone: what the products of the kernels are compared
// with. As LibraryTimings of the Java side.
#pragma once

#include <memory>

#include "cublaslt.h"
#include "other_kernels.h"

class LibraryProducts : protected OtherKernels {
protected:
    using OtherKernels::OtherKernels;

    // Nothing of the library is loaded unless a row of it is wanted.
    void libraryProducts() {
        std::unique_ptr<CublasLt> library;
        for (const Shape& shape : shapesOf(sizes)) {
            for (int rows : sizes.rows) {
                if (rows < LEAST_LIBRARY_ROWS || !wanted(nameOf(shape, rows))) {
                    continue;
                }
                if (library == nullptr) {
                    library = std::make_unique<CublasLt>();
                    std::printf(library->found() ? "# cuBLASLt %s\n" : "# cuBLASLt is absent (%s): no product by it is timed.\n",
                                library->text().c_str());
                }
                if (library->found()) {
                    product(*library, shape, rows);
                    releaseAll();
                }
            }
        }
    }

private:
    static std::string nameOf(const Shape& shape, int rows) {
        return std::string("cublaslt_") + shape.name + "_" + std::to_string(rows);
    }

    // Successive calls without a graph. Tokens are padded, outputs are whole tiles.
    void product(const CublasLt& library, const Shape& shape, int rows) {
        const long long k = padded(shape.inputs);
        const long long outputs = tilesOf(shape.outputs, TILE_ROWS) * TILE_ROWS;
        const long long tokens = tilesOf(rows, LIBRARY_TOKENS) * LIBRARY_TOKENS;
        const long long weightBytes = 2 * outputs * k;
        std::vector<const void*> weights(static_cast<size_t>(copies(weightBytes)));
        for (const void*& each : weights) {
            each = random<void>(BF16, weightBytes);
        }
        const void* x = random<void>(BF16, 2 * tokens * k);
        float* sums = zeros<float>(tokens * outputs);
        void* workspace = zeros<char>(LIBRARY_WORKSPACE_BYTES);
        const CublasLt::Shape prepared = library.prepare(static_cast<std::uint64_t>(outputs), static_cast<std::uint64_t>(k),
                                                         static_cast<std::uint64_t>(tokens));
        const double seconds = called(std::max(sizes.launches, static_cast<int>(weights.size())), [&](int i) {
            library.multiply(prepared, weights[static_cast<size_t>(i) % weights.size()], x, sums, workspace, stream);
        });
        report(nameOf(shape, rows), seconds,
               static_cast<double>(weightBytes) + rows * (2.0 * shape.inputs + 4.0 * shape.outputs),
               2.0 * rows * shape.inputs * shape.outputs);
    }
};
