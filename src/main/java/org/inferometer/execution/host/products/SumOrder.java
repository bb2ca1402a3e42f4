package org.inferometer.execution.host.products;

/// The order in which a product adds up a row, whatever the number of rows.
public enum SumOrder {
    /// Another order, or one that depends on the number of rows.
    UNKNOWN,
    /// Chains of multiply-adds over inputs in ascending order, as long as `PackedMatrix.chainInputs` says: AVX-512 BF16.
    CHAINS,
    /// 32 inputs at a time: a chain over the even ones and a chain over the odd ones, added to each other and then to
    /// the sum of the inputs before. Source: TDPBF16PS in Intel's Architecture Instruction Set Extensions (AMX).
    TILES
}
