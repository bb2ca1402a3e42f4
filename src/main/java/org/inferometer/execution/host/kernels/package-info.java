/// Weights in the layout that kernels read, in memory or mapped from a file beside the engine; vector kernels: products of
/// one or more activation rows with packed weights, norms.
///
/// | weights | activations | rows | product | why |
/// |---|---|---|---|---|
/// | BF16, FP8 | FP32 | 1 | [RowKernels] | two units in four chains reach the memory's speed |
/// | | | 2 to 4 | [SmallBatchKernels] | words are decoded in registers, once for all rows |
/// | FP8 | FP32 | 5 to 16 | [EightRowKernels], from 512 bits on | as before; loads overlap with multiplications |
/// | BF16, FP8 | FP32 | more | [BlockKernels] | a decoded block in the cache serves all rows |
/// | INT4 | rounded to 8 bits | 1 | [W4A8RowKernels] | 16-bit lanes: 12 instructions for 64 bytes of weights in place of 20 |
/// | | | 2 to 4, or without oneDNN any | [W4A8BlockKernels] | the same integers, words shifted once for four rows |
/// | | | 5 and more | `IntegerProducts` of oneDNN | byte instructions, which Java lacks |
/// | INT4 | FP32 | 1; more | [Int4Kernels]; the same with [BlockKernels] | the reference of the integer products |
/// | BF16, FP8 | BF16 (default where the processor multiplies it) | below 16 | those of FP32 | they give the bits of `FloatProducts` |
/// | | | 16 and more | `FloatProducts` of oneDNN | the processor's BF16 instructions, which Java lacks |
/// | | the same with matrix tiles | 1, or 2 one by one | [TileOrderKernels] | they add up as matrix tiles do |
/// | | | 3 and more | `FloatProducts` of oneDNN | sixteen rows take the time of one |
/// | any but rounded INT4 and INT8 | BF16, or FP32 | 16 and more, or 128 | `FloatProducts` of oneDNN | `deterministic=false` alone |
///
/// A single row of INT4 or INT8 takes turns over four units of a large matrix, so that more streams are fetched ahead.
///
/// INT4 in groups of 32 or 64 goes the same ways: a block of 128 inputs has one, two or four groups, and only adding its chunks
/// differs. Activations are rounded in the same groups.
///
/// FP8 and BF16 are added up in chains of 512 or 1,024 inputs, as oneDNN does with AVX-512, FP8 with scales of 128 inputs a group at a time;
/// `UnitProduct` adds them. In FP32 oneDNN gets weights times the scales, as INT4.
///
/// `ProductPlan` chooses when an executor opens, `UnitProduct` dispatches. All widths of vectors run the same kernels.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host.kernels;
