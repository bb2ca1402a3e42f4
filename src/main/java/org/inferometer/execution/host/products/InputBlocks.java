package org.inferometer.execution.host.products;

import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.machine.Vectors;

/// The blocks of a row's inputs that oneDNN multiplies in one call each. Inputs after the width are zero.
///
/// oneDNN adds up chains of [PackedMatrix#chainInputs] inputs and then the chains. Every block of a row with long chains has more inputs
/// than rows with short ones have, so that its chains are long as well.
public record InputBlocks(int padded) {
    /// Inputs are padded with zeros to a multiple of this.
    static final int MULTIPLE = 64;
    /// Inputs of all blocks but the last.
    private static final int STEP = 2 * PackedMatrix.LONG_CHAIN;

    public static InputBlocks of(int width) {
        return new InputBlocks(Vectors.roundUp(width, MULTIPLE));
    }

    public int count() {
        return Math.max(1, Math.ceilDiv(padded - PackedMatrix.LONG_CHAIN, STEP));
    }

    public int first(int block) {
        return block * STEP;
    }

    public int inputs(int block) {
        return block == count() - 1 ? padded - first(block) : STEP;
    }

    /// Inputs of the largest block.
    int most() {
        return Math.max(inputs(0), inputs(count() - 1));
    }

    int blockOf(int input) {
        return Math.min(input / STEP, count() - 1);
    }
}
