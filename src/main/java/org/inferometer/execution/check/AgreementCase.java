package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorSizes;

/// One case of an agreement check: compares an executor's logits and greedy tokens with the reference pass. Used by one
/// thread.
public final class AgreementCase {
    /// The allowed deviation of logits from the reference: each logit by `absolute + relative · |expected|`, and all of a
    /// case by a share of the root mean square.
    ///
    /// A value between two rounded values may fall to either side and shift the logits after it. The limit per logit allows
    /// this; the overall limit finds small errors everywhere.
    ///
    /// @param overall share of the root mean square of the expected logits
    public record Tolerance(double absolute, double relative, double overall) {
        /// The deviation of one logit as a share of the tolerance: 1 is the limit; infinite for NaN.
        public double share(double actual, double expected) {
            double share = Math.abs(actual - expected) / (absolute + relative * Math.abs(expected));
            return Double.isNaN(share) ? Double.POSITIVE_INFINITY : share;
        }
    }

    private final String name;
    private final Tolerance tolerance;
    private long compared;
    private double deviationSquares;
    private double expectedSquares;
    private double worstShare;
    private String worst = "";
    private String fault = "";

    /// @param name in messages: "Llama INT4, fp8 cache, graphs"
    public AgreementCase(String name, Tolerance tolerance) {
        this.name = name;
        this.tolerance = tolerance;
    }

    /// Opens an executor of the known sequences' model and compares its results, until a round has a fault. A refusal
    /// becomes the fault.
    void run(ReferenceSequences known, int rounds, ExecutorSizes sizes, Agreement.Opening opening)
            throws InterruptedException {
        try (Executor executor = opening.open(known.model(), sizes)) {
            for (int round = 0; round < rounds && fault.isEmpty(); round++) {
                run(executor, known);
            }
        } catch (ExecutorException refused) {
            fail(String.valueOf(refused.getMessage()));
        }
    }

    /// Runs the known sequences on all lanes of the executor concurrently and compares the results. Failed steps and
    /// wrong tokens become the fault.
    public void run(Executor executor, ReferenceSequences known) throws InterruptedException {
        int blockTokens = executor.pools().getFirst().blockTokens();
        List<List<ReferenceSteps.ReferenceStep>> lanes = new ArrayList<>();
        for (int lane = 0; lane < executor.lanes().size(); lane++) {
            lanes.add(ReferenceSteps.of(known, blockTokens, lane));
        }
        try {
            for (int i = 0; i < lanes.getFirst().size(); i++) {
                int number = i;
                List<ReferenceSteps.ReferenceStep> together = lanes.stream().map(steps -> steps.get(number)).toList();
                List<StepOutcome.Completed> done = new AwaitedSteps(executor)
                        .together(together.stream().map(ReferenceSteps.ReferenceStep::step).toList());
                for (int lane = 0; lane < done.size(); lane++) {
                    compare(together.get(lane), done.get(lane));
                }
            }
        } catch (ExecutorException failed) {
            fail(String.valueOf(failed.getMessage()));
        }
    }

    private void compare(ReferenceSteps.ReferenceStep known, StepOutcome.Completed done) {
        for (int slice = 0; slice < known.places().size(); slice++) {
            float[] logits = done.logits()[slice];
            compare(logits, known.expected().get(slice), known.places().get(slice));
            int likeliest = ReferenceSampler.likeliest(logits);
            if (done.tokens()[slice] != likeliest) {
                fail("After " + known.places().get(slice) + " token " + done.tokens()[slice]
                        + " was chosen, but the logit of token " + likeliest + " is the largest.");
            }
        }
    }

    /// Compares the logits of one row with those of the reference pass.
    ///
    /// @param place in messages: "position 12 of sequence 3"
    public void compare(float[] logits, double[] expected, String place) {
        for (int i = 0; i < expected.length; i++) {
            deviationSquares += (logits[i] - expected[i]) * (logits[i] - expected[i]);
            expectedSquares += expected[i] * expected[i];
            double share = tolerance.share(logits[i], expected[i]);
            if (share > worstShare) {
                worstShare = share;
                worst = String.format(Locale.ROOT, "Logit %d after %s is %.5g where the reference pass gives %.5g", i,
                        place, logits[i], expected[i]);
            }
        }
        compared += expected.length;
    }

    /// Records a fault; only the first is kept.
    ///
    /// @param sentence what went wrong
    public void fail(String sentence) {
        if (fault.isEmpty()) {
            fault = sentence;
        }
    }

    /// The name in messages.
    public String name() {
        return name;
    }

    /// Logits that were compared.
    public long compared() {
        return compared;
    }

    /// The larger of the largest single deviation and the overall deviation, each as a share of its tolerance: 1 is the
    /// limit. Infinite if a logit is NaN.
    public double worstShare() {
        double share = overall() / tolerance.overall();
        return Double.isNaN(share) ? worstShare : Math.max(worstShare, share);
    }

    private double overall() {
        return compared == 0 ? 0 : Math.sqrt(deviationSquares / expectedSquares);
    }

    /// The first fault; empty if there is none.
    public String fault() {
        return fault;
    }

    /// Whether all logits are within the tolerance and there is no fault.
    public boolean agrees() {
        return fault.isEmpty() && compared > 0 && worstShare() <= 1;
    }

    /// A sentence with the fault or the largest deviation.
    public String sentence() {
        if (!fault.isEmpty()) {
            return fault;
        }
        if (compared == 0) {
            return "No logit was compared.";
        }
        return String.format(Locale.ROOT, "%s; all together deviate by %.2g %%.",
                worst.isEmpty() ? "Every logit is that of the reference pass" : worst, 100 * overall());
    }
}
