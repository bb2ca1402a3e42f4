package org.inferometer.execution.host;

import java.util.Optional;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.KvGeometry;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepSlice;

/// Refuses steps that would read or write outside the buffers, before anything is touched.
record StepCheck(ModelShape shape, KvGeometry pool, HostSizes sizes) {
    /// One sentence on the first fault, or empty.
    Optional<String> fault(Step step) {
        if (step.paddingRows() < 0) {
            return Optional.of("A step has " + step.paddingRows() + " padding rows.");
        }
        long rows = step.paddingRows();
        int sampled = 0;
        for (StepSlice slice : step.slices()) {
            Optional<String> fault = fault(slice);
            if (fault.isPresent()) {
                return fault;
            }
            rows += slice.tokens().length;
            sampled += slice.sample() ? 1 : 0;
        }
        if (rows == 0 || rows > sizes.maxStepPositions()) {
            return Optional.of("A step has " + rows + " positions; this executor takes 1 to " + sizes.maxStepPositions() + ".");
        }
        if (sampled > sizes.maxSampledRows()) {
            return Optional.of("A step samples " + sampled + " rows; this executor takes " + sizes.maxSampledRows() + ".");
        }
        return Optional.empty();
    }

    private Optional<String> fault(StepSlice slice) {
        int count = slice.tokens().length;
        long end = (long) slice.firstPosition() + count;
        if (count == 0 || slice.firstPosition() < 0 || end > sizes.maxSequencePositions()) {
            return Optional.of("A slice covers positions " + slice.firstPosition() + " to " + end + "; a sequence has at most "
                    + sizes.maxSequencePositions() + " and a slice at least one.");
        }
        for (int token : slice.tokens()) {
            if (token < 0 || token >= shape.vocabulary()) {
                return Optional.of("Token " + token + " is outside the vocabulary of " + shape.vocabulary() + ".");
            }
        }
        int needed = (int) Math.ceilDiv(end, pool.blockTokens());
        if (slice.blockTable().length < needed) {
            return Optional.of("A block table has " + slice.blockTable().length + " blocks, but " + end + " positions need " + needed + ".");
        }
        for (int i = 0; i < needed; i++) {
            int block = slice.blockTable()[i];
            if (block < 0 || block >= pool.blocks()) {
                return Optional.of("Block " + block + " is outside the pool of " + pool.blocks() + ".");
            }
        }
        return Optional.empty();
    }
}
