package org.inferometer.execution.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.WeightFormats;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.cuda.CudaBackend;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.device.ModuleChoice;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.inferometer.execution.cuda.steps.LoadedGpu;
import org.inferometer.execution.cuda.steps.TokenSampler.SampleBlocks;
import org.inferometer.units.LongForm;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CudaAgreementEmulatedTest {
    /// Multiprocessors of an H100.
    private static final int MANY = 132;

    private final CudaAgreement agreement = CudaAgreement.small(new SystemClock(), "0", part -> {});
    private EmulatedDriver driver;

    @BeforeEach
    void freshDriver() {
        driver = EmulatedDriver.load().set(Setting.MULTIPROCESSORS, 2).set(Setting.COMPUTE_CAPABILITY, 90);
    }

    @Test
    void everyFamilyAgreesAndEveryShippedKernelRan() throws Exception {
        agreeAndRunEveryKernel(23);
    }

    @Test
    @LongForm
    void everyFamilyAgreesInEveryFormatAndCache() throws Exception {
        agreeAndRunEveryKernel(38);
    }

    /// @param count of the cases of families, formats and caches: 38 are all, in 23 each of these meets each other
    private void agreeAndRunEveryKernel(int count) throws Exception {
        try (LoadedGpu gpu = LoadedGpu.open("0")) {
            List<AgreementCase> cases = new ArrayList<>();
            List<CudaAgreement.CudaCase> subjects = agreement.subjects(gpu.device().multiprocessors());
            int each = ModelFamily.values().length + 1;
            int regular = DeviceFormat.precisions().size() * KvDtype.values().length * each;
            for (int i = 0; i < subjects.size(); i++) {
                if (count == subjects.size() || i >= regular || (i / each + i % each) % 2 == 0) {
                    // Of what differs in graphs alone one of the two; the emulated device takes its time.
                    cases.addAll(agreement.run(gpu, subjects.get(i), i % 2 == 0));
                }
            }
            for (CudaAgreement.CudaCase subject : agreement.spreadSubjects()) {
                cases.addAll(agreement.run(gpu, subject, false));
            }
            for (CudaAgreement.CudaCase subject : agreement.windowSubjects()) {
                cases.addAll(agreement.run(gpu, subject, true));
            }
            assertThat(cases).hasSize(count + 3 + 8)
                    .allSatisfy(done -> assertThat(done.agrees()).as(done.name() + ": " + done.sentence()).isTrue());
            assertThat(cases.stream().mapToDouble(AgreementCase::worstShare).max().orElseThrow()).isPositive();
            assertThat(agreement.sampling(gpu).withinLimit()).isTrue();
        }
        assertThat(kernels()).hasSizeGreaterThan(30)
                .filteredOn(kernel -> driver.launches(kernel) == 0 && !kernel.endsWith("_rate")
                        && !kernel.equals("copy_blocks") && !kernel.startsWith("widen_")
                        && !kernel.startsWith("epilogue_"))
                .isEmpty();
    }

    /// 256 blocks add to a row before the next layer reads it, and one sequence has 3,200 positions. With many
    /// multiprocessors, products divide their inputs among blocks, and positions are split often.
    @Test
    @LongForm
    void wideInputsAndLongSequencesAgree() throws Exception {
        driver.set(Setting.MULTIPROCESSORS, MANY);
        AgreementExtent far = new AgreementExtent(Collections.nCopies(25, 128), 2);
        CudaAgreement.LargeLoad large = new CudaAgreement.LargeLoad(4096, CudaAgreement.SMALL_LARGE.deep(), far);
        agree(new CudaAgreement(new SystemClock(), "0", part -> {}, CudaAgreement.SMALL, large, 1).largeSubjects(), 7);
    }

    @Test
    void blocksOfManyMultiprocessorsAgree() throws Exception {
        agreeOnMany(DeviceFormat.INT4);
    }

    @Test
    @LongForm
    void blocksOfManyMultiprocessorsAgreeInAllTiles() throws Exception {
        agreeOnMany(DeviceFormat.BF16, DeviceFormat.INT4, DeviceFormat.INT4_G32);
    }

    /// Gate and up have 132 blocks of 128 outputs.
    private void agreeOnMany(DeviceFormat... formats) throws Exception {
        driver.set(Setting.MULTIPROCESSORS, MANY);
        List<WeightFormats> chosen = Stream.of(formats).map(DeviceFormat::everywhere).toList();
        agree(agreement.subjects(MANY).stream()
                .filter(each -> each.name().startsWith("wide") && each.dtype() == KvDtype.FP16)
                .filter(each -> chosen.contains(each.formats())).toList(), formats.length);
    }

    private void agree(List<CudaAgreement.CudaCase> subjects, int count) throws Exception {
        try (LoadedGpu gpu = LoadedGpu.open("0")) {
            List<AgreementCase> cases = new ArrayList<>();
            for (CudaAgreement.CudaCase subject : subjects) {
                cases.addAll(agreement.run(gpu, subject, false));
            }
            assertThat(cases).hasSize(count)
                    .allSatisfy(each -> assertThat(each.agrees()).as(each.name() + ": " + each.sentence()).isTrue());
        }
    }

    @Test
    void theDeviceChoosesTokensByThePlainRule() throws Exception {
        try (LoadedGpu gpu = LoadedGpu.open("0")) {
            BackendFigure sampled = agreement.sampling(gpu);
            assertThat(sampled.withinLimit()).as(sampled.sentence()).isTrue();
            assertThat(sampled.sentence())
                    .isEqualTo("128 tokens sampled from 1,100 with 8 settings, using the backend's own logits.");
        }
    }

    @Test
    void severalBlocksOfARowSampleByTheRule() throws Exception {
        driver.set(Setting.MULTIPROCESSORS, MANY);
        Agreement.Load wide = new Agreement.Load(CudaAgreement.SMALL.odd(), CudaAgreement.SMALL.wide(), 9_000, 2);
        assertThat(new SampleBlocks(MANY, 9_000).of(SamplingAgreement.TOGETHER)).isEqualTo(5);
        try (LoadedGpu gpu = LoadedGpu.open("0")) {
            CudaAgreement several =
                    new CudaAgreement(new SystemClock(), "0", part -> {}, wide, CudaAgreement.SMALL_LARGE, 1);
            BackendFigure sampled = several.sampling(gpu);
            assertThat(sampled.withinLimit()).as(sampled.sentence()).isTrue();
        }
    }

    @Test
    void aCardThatBreaksFailsTheCaseWithWhatTheDriverSaid() throws Exception {
        try (LoadedGpu gpu = LoadedGpu.open("0")) {
            driver.set(Setting.FAIL_LAUNCH_WITH, 700).set(Setting.FAIL_LAUNCH, 40);
            CudaAgreement.CudaCase first = agreement.subjects(1).getFirst();
            List<AgreementCase> cases = agreement.run(gpu, first, false, true);
            assertThat(cases).noneMatch(AgreementCase::agrees);
            List<BackendFigure> ratios = new Agreement("cuda", "", cases).ratios();
            assertThat(ratios).noneMatch(BackendFigure::withinLimit);
            assertThat(ratios).extracting(BackendFigure::id).containsExactly("cuda_agreement",
                    "cuda_agreement_llama_bf16_fp16_cache_no_graphs", "cuda_agreement_llama_bf16_fp16_cache_graphs");
            assertThat(ratios.getFirst().sentence()).startsWith(
                    "2 of 2 cases fail: Llama BF16, FP16 cache, no graphs; Llama BF16, FP16 cache, graphs.");
            assertThat(ratios.get(1).sentence()).contains("failed on GPU 0")
                    .contains("CUDA_ERROR_ILLEGAL_ADDRESS (700)");
        }
    }

    /// Names of the kernels in a module.
    private static List<String> kernels() throws IOException {
        try (InputStream in = CudaBackend.class.getResourceAsStream(ModuleChoice.WITH_E4M3.resource())) {
            String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            List<String> names = new ArrayList<>();
            for (Matcher entry = Pattern.compile("\\.entry (\\w+)").matcher(text); entry.find();) {
                names.add(entry.group(1));
            }
            return names;
        }
    }
}
