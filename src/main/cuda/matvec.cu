// Products of 1, 2 and 4 tokens, and of up to 8, 16 and 32: y = W·x with weights [outputs][paddedK] of one of three
// formats, BF16 activations [tokens][xStride], results [tokens][outStride]. Grid: (ceil(outputs / outputs per block),
// ceil(tokens / tokens per block)).
#include "normed_rows.h"
#include "streamed_product.h"

// If the product is added to the residual stream and a norm follows, the last block to finish computes the norm.
template <typename Format, int TOKENS>
DEVICE void matvec(const Product& product, const RowNorm& norm) {
    SHARED WeightRing<Format, 1, 5> ring;
    static_assert(16 == MATVEC_OUTPUTS && 16 == MATMUL_OUTPUTS_8, "one row tile a block");
    streamedProduct<Format, TOKENS, 1, 5>(product, 0, TOKENS, &ring);
    if (norm.weight != nullptr && arrivedLast(norm.arrivals, gridDim.x)) {
        normRows<TOKENS>(norm, static_cast<const float*>(product.out), product.outStride, product.outputs);
    }
}

template <typename Format>
DEVICE void matmul8(const Product& product, int tokens) {
    SHARED WeightRing<Format, 1, 5> ring;
    streamedProduct<Format, 8, 1, 5>(product, 8 * static_cast<int>(blockIdx.y), tokens, &ring);
}

template <typename Format, int TOKENS>
DEVICE void matmulNarrow(const Product& product, int tokens) {
    static_assert(32 == MATMUL_OUTPUTS_16 && 32 == MATMUL_OUTPUTS_32, "two row tiles a block");
    static_assert(sizeof(WeightRing<Format, 2, 3>) <= MATMUL_SHARED_16 && MATMUL_SHARED_16 == MATMUL_SHARED_32, "fits");
    DYNAMIC_SHARED(unsigned char, memory);
    streamedProduct<Format, TOKENS, 2, 3>(product, TOKENS * static_cast<int>(blockIdx.y), tokens, memory);
}

#define MATVEC(format, Format)                                                               \
    KERNEL(matvec_##format##_1, MATVEC_THREADS, PRODUCT_PARAMETERS, int, NORM_PARAMETERS) {  \
        matvec<Format, 1>(PRODUCT_ARGUMENTS, NORM_ARGUMENTS);                                \
    }                                                                                        \
    KERNEL(matvec_##format##_2, MATVEC_THREADS, PRODUCT_PARAMETERS, int, NORM_PARAMETERS) {  \
        matvec<Format, 2>(PRODUCT_ARGUMENTS, NORM_ARGUMENTS);                                \
    }                                                                                        \
    KERNEL(matvec_##format##_4, MATVEC_THREADS, PRODUCT_PARAMETERS, int, NORM_PARAMETERS) {  \
        matvec<Format, 4>(PRODUCT_ARGUMENTS, NORM_ARGUMENTS);                                \
    }                                                                                        \
    KERNEL(matmul_##format##_8, MATMUL_THREADS_8, PRODUCT_PARAMETERS, int tokens) {          \
        matmul8<Format>(PRODUCT_ARGUMENTS, tokens);                                          \
    }                                                                                        \
    KERNEL(matmul_##format##_16, MATMUL_THREADS_16, PRODUCT_PARAMETERS, int tokens) {        \
        matmulNarrow<Format, 16>(PRODUCT_ARGUMENTS, tokens);                                 \
    }                                                                                        \
    KERNEL(matmul_##format##_32, MATMUL_THREADS_32, PRODUCT_PARAMETERS, int tokens) {        \
        matmulNarrow<Format, 32>(PRODUCT_ARGUMENTS, tokens);                                 \
    }

MATVEC(bf16, Bf16Weights)
MATVEC(fp8, Fp8Weights)
MATVEC(int4, Int4Weights)
