// The calls of cuBLASLt that the benchmark needs, found in the library when it starts; it need not be installed. As
// CublasLt and LaneGemm of the Java side.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include "sizes.h"

// As in cublasLt.h of cuBLAS 12 and 13.
struct LibraryAlgorithm {
    std::uint64_t data[8];
};

struct LibraryHeuristic {
    LibraryAlgorithm algorithm;
    size_t workspaceBytes;
    int status;
    float waves;
    int reserved[4];
};
static_assert(sizeof(LibraryHeuristic) == 96, "as in cublasLt.h");

class CublasLt {
public:
    // Looks for the library, with the device's context current.
    CublasLt() {
        for (const char* name : {"libcublasLt.so.13", "libcublasLt.so.12"}) {
            library = dlopen(name, RTLD_NOW);
            if (library == nullptr) {
                reason += (reason.empty() ? "" : ", ") + std::string(name) + " cannot be loaded";
            } else if (create() == 0) {
                version = versionOf() + " (" + name + ")";
                return;
            } else {
                reason += (reason.empty() ? "" : ", ") + std::string(name) + " answered " + std::to_string(created);
                library = nullptr;
            }
        }
    }

    bool found() const { return library != nullptr; }

    // Why it was not found, or its version and name.
    const std::string& text() const { return found() ? version : reason; }

    // The objects of products of one shape, which last as long as the program.
    struct Shape {
        void* a;
        void* b;
        void* d;
        LibraryAlgorithm algorithm;
    };

    Shape prepare(std::uint64_t outputs, std::uint64_t inputs, std::uint64_t tokens) const {
        Shape shape = {layout(REAL_16BF, inputs, outputs), layout(REAL_16BF, inputs, tokens),
                       layout(REAL_32F, outputs, tokens), {}};
        LibraryHeuristic chosen = {};
        int count = 0;
        require("cublasLtMatmulAlgoGetHeuristic",
                call<int(void*, void*, void*, void*, void*, void*, void*, int, LibraryHeuristic*, int*)>(
                    "cublasLtMatmulAlgoGetHeuristic")(handle, description, shape.a, shape.b, shape.d, shape.d, preference,
                                                      1, &chosen, &count));
        require("cublasLtMatmulAlgoGetHeuristic", count < 1 ? NOT_SUPPORTED : chosen.status);
        shape.algorithm = chosen.algorithm;
        return shape;
    }

    // Enqueues sums [tokens][outputs] = x · weightsᵀ in FP32; weights [outputs][inputs] and x [tokens][inputs] are BF16.
    void multiply(const Shape& shape, const void* weights, const void* x, void* sums, void* workspace, void* stream) const {
        static const auto matmul =
            call<int(void*, void*, const float*, const void*, void*, const void*, void*, const float*, const void*, void*,
                     void*, void*, const LibraryAlgorithm*, void*, size_t, void*)>("cublasLtMatmul");
        const float one = 1;
        const float zero = 0;
        require("cublasLtMatmul",
                matmul(handle, description, &one, weights, shape.a, x, shape.b, &zero, sums, shape.d, sums, shape.d,
                       &shape.algorithm, workspace, LIBRARY_WORKSPACE_BYTES, stream));
    }

private:
    static constexpr int REAL_32F = 0;
    static constexpr int REAL_16BF = 14;
    static constexpr int COMPUTE_32F = 68;
    static constexpr int TRANSPOSE_A = 3;
    static constexpr int MOST_WORKSPACE_BYTES = 1;
    static constexpr int NOT_SUPPORTED = 15;

    void* library = nullptr;
    void* handle = nullptr;
    void* description = nullptr;
    void* preference = nullptr;
    int created = 0;
    std::string version;
    std::string reason;

    template <typename Function> Function* call(const char* symbol) const {
        void* found = dlsym(library, symbol);
        if (found == nullptr) {
            std::fprintf(stderr, "kernel_bench: cuBLASLt has no %s; install that of CUDA 12 or 13\n", symbol);
            std::exit(2);
        }
        return reinterpret_cast<Function*>(found);
    }

    static void require(const char* symbol, int status) {
        if (status != 0) {
            std::fprintf(stderr, "kernel_bench: %s answered %d\n", symbol, status);
            std::exit(1);
        }
    }

    // The status of the first call: a library that is newer than the driver gives no handle.
    int create() {
        created = call<int(void**)>("cublasLtCreate")(&handle);
        if (created != 0) {
            return created;
        }
        const int transposed = 1;
        const std::uint64_t most = LIBRARY_WORKSPACE_BYTES;
        require("cublasLtMatmulDescCreate",
                call<int(void**, int, int)>("cublasLtMatmulDescCreate")(&description, COMPUTE_32F, REAL_32F));
        require("cublasLtMatmulDescSetAttribute",
                call<int(void*, int, const void*, size_t)>("cublasLtMatmulDescSetAttribute")(description, TRANSPOSE_A,
                                                                                             &transposed, sizeof transposed));
        require("cublasLtMatmulPreferenceCreate", call<int(void**)>("cublasLtMatmulPreferenceCreate")(&preference));
        require("cublasLtMatmulPreferenceSetAttribute",
                call<int(void*, int, const void*, size_t)>("cublasLtMatmulPreferenceSetAttribute")(
                    preference, MOST_WORKSPACE_BYTES, &most, sizeof most));
        return 0;
    }

    std::string versionOf() const {
        std::string text;
        for (int part = 0; part < 3; part++) {
            int number = 0;
            require("cublasLtGetProperty", call<int(int, int*)>("cublasLtGetProperty")(part, &number));
            text += (part == 0 ? "" : ".") + std::to_string(number);
        }
        return text;
    }

    // Of a matrix in columns without gaps.
    void* layout(int type, std::uint64_t rows, std::uint64_t columns) const {
        void* made = nullptr;
        require("cublasLtMatrixLayoutCreate",
                call<int(void**, int, std::uint64_t, std::uint64_t, std::int64_t)>("cublasLtMatrixLayoutCreate")(
                    &made, type, rows, columns, static_cast<std::int64_t>(rows)));
        return made;
    }
};
