package org.inferometer.execution.host.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;
import org.inferometer.execution.host.products.FloatProductsTest;
import org.inferometer.execution.host.products.IntegerProductsTest;
import org.inferometer.execution.host.products.KernelTest;
import org.inferometer.execution.host.products.MatrixKind;
import org.inferometer.execution.host.products.OneDnnHere;
import org.inferometer.execution.host.products.W4A8KernelsTest;
import org.inferometer.execution.host.products.W8A8KernelsTest;
import org.inferometer.execution.host.steps.AttentionKernelTest;
import org.inferometer.units.LongForm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The kernels with narrower vectors than this machine's, each width in a Java process of its own.
@Execution(ExecutionMode.CONCURRENT)
class VectorWidthTest {
    private static final long SECONDS = 120;

    @ParameterizedTest
    @ValueSource(ints = 16)
    void kernelsAgreeWithTheirReferencesAtEveryWidth(int bytes) throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-Xmx512m",
                "-XX:MaxVectorSize=" + bytes, "-cp", System.getProperty("java.class.path"), Products.class.getName())
                .redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        int lanes = Integer.parseInt(output.substring(output.lastIndexOf("lanes ") + "lanes ".length()).strip());
        // A machine narrower than what is asked for keeps its own width.
        assertThat(lanes).isLessThanOrEqualTo(bytes / Float.BYTES);
    }

    @Test
    @LongForm
    void kernelsAgreeAtTheWidthOfMostMachines() throws Exception {
        kernelsAgreeWithTheirReferencesAtEveryWidth(32);
    }

    /// What the forked process runs.
    static final class Products {
        private Products() {}

        public static void main(String[] arguments) throws Exception {
            KernelTest kernels = new KernelTest();
            for (MatrixKind kind : MatrixKind.values()) {
                for (int rows : new int[]{1, 2, 3, 7, 17}) {
                    kernels.productsAgreeWithTheRowsOfTheMatrix(kind, 70, 300, rows, 5);
                }
                kernels.rowHasTheSameBitsInAnyBatch(kind, 70, 300, 2, 6);
                kernels.rowHasTheSameBitsInAnyBatch(kind, 70, 300, 4, 7);
                kernels.rowHasTheSameBitsInAnyBatch(kind, 70, 300, 11, 8);
                kernels.rowHasTheSameBitsInAnyPanel(kind, 105, 9);
            }
            kernels.fp8IsRightHoweverManyCodesHaveNoExponent(70, 300, 0, 9);
            kernels.fp8IsRightHoweverManyCodesHaveNoExponent(70, 300, 2, 9);
            for (HostOptions.KvDtype dtype : HostOptions.KvDtype.values()) {
                AttentionKernelTest.assertAttention(dtype, 64, 16, 150, 11, 3);
                AttentionKernelTest.assertAttention(dtype, 128, 32, 300, 8, 8);
                AttentionKernelTest.assertAttention(dtype, 75, 5, 90, 6, 1);
                AttentionKernelTest.assertAttention(dtype, 15, 1, 20, 1, 1);
            }
            IntegerProductsTest integers = new IntegerProductsTest();
            for (int rows : new int[]{1, 2, 7, 17}) {
                for (int kind = 0; kind <= WeightMatrix.Int4.GROUPS.size(); kind++) {
                    integers.roundedProductsEqualPlainIntegers(70, 300, rows, kind, 10);
                    if (OneDnnHere.lacksIntegers().isEmpty()) {
                        integers.oneDnnGivesTheBitsOfThePortableKernels(70, 300, rows, kind, 11);
                    }
                }
            }
            W4A8KernelsTest rounded = new W4A8KernelsTest();
            rounded.largestSumsDoNotOverflow();
            for (int rows : new int[]{1, 4, 23}) {
                for (int width = 0; width < WeightMatrix.Int4.GROUPS.size(); width++) {
                    rounded.integersGiveTheBitsOfTheFp32Kernels(70, 300, rows, width, 13);
                }
            }
            W8A8KernelsTest bytes = new W8A8KernelsTest();
            bytes.largestSumsDoNotOverflow();
            bytes.everyHalfIsWidenedExactly();
            for (int rows : new int[]{1, 2, 23}) {
                bytes.integersGiveTheBitsOfTheFp32Kernels(70, 300, rows, 13);
            }
            for (FloatFormat format : FloatFormat.values()) {
                for (MatrixKind kind : OneDnnHere.lacks(format).isEmpty() ? MatrixKind.values() : new MatrixKind[0]) {
                    FloatProductsTest.assertProducts(format, kind, 70, 150, 17, 12);
                }
            }
            System.out.println("lanes " + Vectors.LANES);
        }
    }
}
