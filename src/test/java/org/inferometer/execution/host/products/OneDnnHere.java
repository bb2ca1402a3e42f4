package org.inferometer.execution.host.products;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;
import org.inferometer.execution.host.products.FloatProducts.SumOrder;

/// What oneDNN can do on the machine that tests run on; tests of the rest are skipped with the reason.
public final class OneDnnHere {
    private static final int GROUPS = 1;
    private static final int ROWS = 8;
    private static final int WIDTH = 1024;

    private OneDnnHere() {}

    /// Why there are no products of a format, whatever would compute them; empty where there are.
    public static Optional<String> lacks(FloatFormat format) {
        try {
            FloatProducts.open(format, Set.of(WIDTH), false, ROWS).close();
            return Optional.empty();
        } catch (IOException | IllegalStateException absent) {
            return Optional.of("no products in " + format + " here: " + absent.getMessage());
        }
    }

    /// Why there are no fast integer products; empty where there are.
    public static Optional<String> lacksIntegers() {
        try {
            IntegerProducts.open(WeightMatrix.Int4.GROUP_COLUMNS, Set.of(GROUPS), ROWS).close();
            return Optional.empty();
        } catch (IOException absent) {
            return Optional.of("no integer products here: " + absent.getMessage());
        }
    }

    /// Skips the rest of a test of JUnit's own. jqwik's take one of the hooks: it counts an assumption as a sample to try again.
    public static void require(FloatFormat format) {
        lacks(format).ifPresent(reason -> assumeTrue(false, reason));
    }

    /// For jqwik's tests of FP32.
    static final class Fp32 implements SkipExecutionHook {
        @Override
        public SkipResult shouldBeSkipped(LifecycleContext context) {
            return skipped(lacks(FloatFormat.FP32));
        }
    }

    /// For jqwik's tests of BF16.
    static final class Bf16 implements SkipExecutionHook {
        @Override
        public SkipResult shouldBeSkipped(LifecycleContext context) {
            return skipped(lacks(FloatFormat.BF16));
        }
    }

    /// For jqwik's tests of the order in which products in BF16 add up.
    static final class Ordered implements SkipExecutionHook {
        @Override
        public SkipResult shouldBeSkipped(LifecycleContext context) {
            return skipped(lacks(FloatFormat.BF16).or(OneDnnHere::lacksOrder));
        }
    }

    private static Optional<String> lacksOrder() {
        try (FloatProducts products = FloatProducts.open(FloatFormat.BF16, Set.of(WIDTH), false, ROWS)) {
            return products.sumOrder() == SumOrder.UNKNOWN
                    ? Optional.of("products in BF16 add up in another order here: " + products.implementation())
                    : Optional.empty();
        } catch (IOException absent) {
            return Optional.of(absent.getMessage());
        }
    }

    /// For jqwik's tests of integers.
    static final class Integers implements SkipExecutionHook {
        @Override
        public SkipResult shouldBeSkipped(LifecycleContext context) {
            return skipped(lacksIntegers());
        }
    }

    private static SkipExecutionHook.SkipResult skipped(Optional<String> lack) {
        return lack.map(SkipExecutionHook.SkipResult::skip).orElseGet(SkipExecutionHook.SkipResult::doNotSkip);
    }
}
