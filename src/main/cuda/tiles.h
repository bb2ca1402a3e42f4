// Launch shapes, mirrored by the Java side (a test compares them): integers only.
#pragma once

#define EMBED_THREADS 512
#define NORM_THREADS 512
#define PLACE_THREADS 512
#define COPY_THREADS 256
#define REORDER_THREADS 256
#define PACK_THREADS 256
#define RATE_THREADS 256

// Rows of a tile of weights; see formats.h.
#define TILE_ROWS 16
#define PADDED_TILES 8

// Products: outputs per block, threads per block, bytes of dynamic shared memory by tokens per block.
#define MATVEC_OUTPUTS 16
#define MATVEC_THREADS 256
#define MATVEC_SHARED 0
#define MATMUL_OUTPUTS_8 16
#define MATMUL_OUTPUTS_16 32
#define MATMUL_OUTPUTS_32 32
#define MATMUL_OUTPUTS_64 128
#define MATMUL_OUTPUTS_128 128
#define MATMUL_THREADS_8 256
#define MATMUL_THREADS_16 256
#define MATMUL_THREADS_32 256
#define MATMUL_THREADS_64 128
#define MATMUL_THREADS_128 128
#define MATMUL_SHARED_8 0
#define MATMUL_SHARED_16 52224
#define MATMUL_SHARED_32 52224
#define MATMUL_SHARED_64 82304
#define MATMUL_SHARED_32_INT4_G64 55296
#define MATMUL_SHARED_32_INT4_G32 61440
#define MATMUL_SHARED_128_BF16 82080
#define MATMUL_SHARED_128_FP8 73824
#define MATMUL_SHARED_128_INT4 83968

// Products of warpgroups (wgmma.cu), likewise.
#define WGMMA_OUTPUTS_128 128
#define WGMMA_OUTPUTS_256 128
#define WGMMA_THREADS_128 256
#define WGMMA_THREADS_256 256
#define WGMMA_SHARED_128_BF16 99264
#define WGMMA_SHARED_128_FP8 99456
#define WGMMA_SHARED_128_INT4 127488
#define WGMMA_SHARED_128_INT4_G64 127488
#define WGMMA_SHARED_128_INT4_G32 130560
#define WGMMA_SHARED_256_BF16 148416
#define WGMMA_SHARED_256_FP8 206240
#define WGMMA_SHARED_256_INT4 225792

// Outputs whose squares are summed together for a norm, by tokens per block.
#define NORM_PART_8 16
#define NORM_PART_16 32
#define NORM_PART_32 32
#define NORM_PART_64 128
#define NORM_PART_128 128

// Sampling: steps of distance from the largest logit, minimum logits of a thread block that shares its row.
#define SAMPLE_THREADS 512
#define SAMPLE_STEPS 1024
#define LEAST_SLICE_LOGITS 2048

// Products that a library computes: threads that widen weights; threads, tokens and outputs of a block of the epilogue.
#define WIDEN_THREADS 256
#define EPILOGUE_THREADS 256
#define EPILOGUE_TOKENS 32
#define EPILOGUE_OUTPUTS 128

// Epilogues of a product: written, added to the old value, or activated; see product.h.
#define FINISH_WRITE 0
#define FINISH_ADD 1
#define FINISH_SWIGLU 2
#define FINISH_GELU 3

// Attention: queries that a block computes at a time, positions of a stage of its ring, bytes of dynamic shared memory
// for heads of 64 and 128 dimensions, minimum positions of a range, maximum dimensions of a head.
#define ATTEND_THREADS 128
#define ATTEND_QUERIES 64
#define ATTEND_POSITIONS 64
#define ATTEND_SHARED 65536
#define LEAST_RANGE_POSITIONS 128
#define MOST_HEAD_DIM 256
