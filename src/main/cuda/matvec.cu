// Products of 1, 2 and 4 tokens, and of up to 8, 16 and 32: y = W·x with weights of one of the formats, BF16 activations
// [tokens][xStride], results [tokens][outStride]. Grid of matvec: (blocks of outputs); of matmul: (blocks of tokens, blocks
// of outputs, splits). Blocks of one tile of outputs are adjacent, so they read its weights from the cache.
#include "streamed_product.h"

// Stages of a ring in static shared memory, of which a kernel has 48 KiB at most. Groups of 32 have a quarter more bytes.
template <typename Format>
constexpr int STAGES_ONE_TILE = Format::GROUPS > 2 ? 4 : 5;

template <typename Format, int TOKENS>
DEVICE void matvec(const Product& product) {
    constexpr int STAGES = STAGES_ONE_TILE<Format>;
    SHARED WeightRing<Format, 1, STAGES> ring;
    static_assert(16 == MATVEC_OUTPUTS && 16 == MATMUL_OUTPUTS_8 && 16 == NORM_PART_8, "one row tile a block");
    streamedProduct<Format, TOKENS, 1, STAGES, false>(product, static_cast<int>(blockIdx.x), 0, TOKENS, &ring);
}

template <typename Format>
DEVICE void matmul8(const Product& product) {
    constexpr int STAGES = STAGES_ONE_TILE<Format>;
    SHARED WeightRing<Format, 1, STAGES> ring;
    streamedProduct<Format, 8, 1, STAGES, true>(product, static_cast<int>(blockIdx.y), 8 * static_cast<int>(blockIdx.x),
                                     product.tokens, &ring);
}

template <typename Format, int TOKENS>
DEVICE void matmulNarrow(const Product& product) {
    static_assert(32 == MATMUL_OUTPUTS_16 && 32 == MATMUL_OUTPUTS_32 && 32 == NORM_PART_16 && 32 == NORM_PART_32,
                  "two row tiles a block");
    static_assert(sizeof(WeightRing<Format, 2, 3>) <= (Format::GROUPS == 4   ? MATMUL_SHARED_32_INT4_G32
                                                       : Format::GROUPS == 2 ? MATMUL_SHARED_32_INT4_G64
                                                                             : MATMUL_SHARED_32) &&
                      MATMUL_SHARED_16 == MATMUL_SHARED_32,
                  "fits");
    DYNAMIC_SHARED(unsigned char, memory);
    streamedProduct<Format, TOKENS, 2, 3, true>(product, static_cast<int>(blockIdx.y), TOKENS * static_cast<int>(blockIdx.x),
                                          product.tokens, memory);
}

#define MATVEC(format, Format)                                                                                      \
    KERNEL(matvec_##format##_1, MATVEC_THREADS, const Product product) { matvec<Format, 1>(product); }              \
    KERNEL(matvec_##format##_2, MATVEC_THREADS, const Product product) { matvec<Format, 2>(product); }              \
    KERNEL(matvec_##format##_4, MATVEC_THREADS, const Product product) { matvec<Format, 4>(product); }              \
    KERNEL(matmul_##format##_8, MATMUL_THREADS_8, const Product product) { matmul8<Format>(product); }              \
    KERNEL(matmul_##format##_16, MATMUL_THREADS_16, const Product product) { matmulNarrow<Format, 16>(product); }   \
    KERNEL(matmul_##format##_32, MATMUL_THREADS_32, const Product product) { matmulNarrow<Format, 32>(product); }

MATVEC(bf16, Bf16Weights)
MATVEC(fp8, Fp8Weights)
MATVEC(int4, Int4Weights<128>)
MATVEC(int4_g64, Int4Weights<64>)
MATVEC(int4_g32, Int4Weights<32>)
