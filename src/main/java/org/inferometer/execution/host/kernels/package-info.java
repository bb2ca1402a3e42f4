/// Products of packed weights with activation rows, norms and epilogues. [MatrixProducts] chooses a [MatrixProduct] for a format
/// and a number of rows when an executor opens.
///
/// | weights | product | rows | kernels | why |
/// |---|---|---|---|---|
/// | BF16, FP8 | [MatrixProduct.Fp32] | 1 | [RowKernels] | two units in four chains reach the memory's speed |
/// | | | 2 to 4 | [SmallBatchKernels] | words are decoded in registers, once for all rows |
/// | FP8 | | 5 to 16 | [EightRowKernels], with 32 registers | as before; loads overlap with multiplications |
/// | BF16, FP8 | | more | [BlockKernels] | a decoded block in the cache serves all rows |
/// | INT4, INT8 | [MatrixProduct.Rounded], the default | 1 to 4; any without oneDNN | [W4A8RowKernels], [W4A8BlockKernels], [W8A8Kernels] | 16-bit lanes: 12 instructions for 64 bytes of INT4 in place of 20 |
/// | | [MatrixProduct.RoundedByOneDnn], the default | 5 and more | `IntegerProducts` | byte instructions, which Java lacks |
/// | INT4 | [MatrixProduct.Fp32], `activations=fp32` | 1; 2 to 8; more | [Int4Kernels]; [Int4FewRows]; [Int4Kernels] with [BlockKernels] | the reference of the integer products |
/// | INT8 | the same | 1; more | [Int8Kernels]; with [BlockKernels] | the same |
/// | any but rounded ones | [MatrixProduct.FloatsByOneDnn], `deterministic=false` | 16 and more; 128 and more | `FloatProducts` | in BF16 where the processor multiplies it; else in FP32 |
///
/// Widths of groups and of vectors change no way. INT4 in groups of 32 or 64 differs in adding its chunks, FP8 with scales of 128 inputs in
/// [GroupSums]; rounded rows have the groups of the weights.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host.kernels;
