package org.inferometer.execution.cuda.steps;

import java.lang.foreign.Arena;
import java.util.function.IntUnaryOperator;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.Kernel;
import org.inferometer.execution.cuda.device.KernelArguments;
import org.inferometer.execution.cuda.device.KernelModule;
import org.inferometer.execution.cuda.device.KernelStruct;
import org.inferometer.execution.cuda.device.KernelTiles;

/// Samples tokens on the device by the rule of the host's sampler. Used by one lane.
///
/// A row of logits is shared by several thread blocks. Masses are integers, so tokens do not depend on their number.
public final class TokenSampler {
    private final Kernel likeliest;
    private final Kernel masses;
    private final Kernel draw;
    private final KernelArguments arguments;
    private final IntUnaryOperator blocks;

    /// The input and output.
    ///
    /// @param logits FP32 `[rows][vocabulary]`
    /// @param choices sampling parameters, 24 bytes a row
    /// @param tokens token ids `[rows]`
    public record Operands(DeviceAddress logits, DeviceAddress choices, DeviceAddress tokens, int vocabulary) {}

    /// @param blocks the thread blocks of a row, by the number of rows
    public TokenSampler(KernelModule module, Arena arena, Operands operands, SamplerBuffers buffers,
            IntUnaryOperator blocks) {
        this.blocks = blocks;
        likeliest = module.kernel("sample_likeliest", KernelTiles.SAMPLE_THREADS, 0);
        masses = module.kernel("sample_masses", KernelTiles.SAMPLE_THREADS, 0);
        draw = module.kernel("sample_draw", KernelTiles.SAMPLE_THREADS, 0);
        arguments = KernelArguments.of(KernelStruct.SAMPLING, arena).address("logits", operands.logits())
                .address("choice", operands.choices()).address("tokens", operands.tokens())
                .address("largest", buffers.largest()).address("slices", buffers.slices())
                .address("arrivals", buffers.arrivals()).address("stepMass", buffers.stepMass())
                .address("stepCount", buffers.stepCount()).address("places", buffers.places())
                .address("candidates", buffers.candidates()).integer("stride", operands.vocabulary())
                .integer("vocabulary", operands.vocabulary()).build();
    }

    /// Enqueues the choice of the likeliest token of each row.
    public void chooseLikeliest(DeviceStream stream, int rows) {
        arguments.launch(likeliest, stream, blocks.applyAsInt(rows), rows, 1);
    }

    /// Enqueues the draw of the rows that are not greedy, after [#chooseLikeliest] of the same rows.
    public void draw(DeviceStream stream, int rows) {
        int each = blocks.applyAsInt(rows);
        arguments.launch(masses, stream, each, rows, 1);
        arguments.launch(draw, stream, each, rows, 1);
    }
}
