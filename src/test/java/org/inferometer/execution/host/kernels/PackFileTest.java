package org.inferometer.execution.host.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineDescriptor.EngineText;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelShape.RopeScaling;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineBuilder.EngineMaterial;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.Recipe;
import org.inferometer.engine.build.SyntheticWeights;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.steps.HostExecutor;
import org.inferometer.execution.host.steps.HostRun;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.HeldFile;
import org.inferometer.units.Leftovers;
import org.inferometer.units.Seed;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(ExecutionMode.CONCURRENT)
class PackFileTest {
    private static final ModelShape SHAPE = new ModelShape(ModelFamily.LLAMA, 2, 130, 150, 4, 2, 10, 256, 64, false,
            10_000, new RopeScaling(8, 1, 4, 32), 1e-5);

    @TempDir
    Path engines;

    private Path folder;
    private Path pack;

    @BeforeEach
    void build() throws Exception {
        buildAs(Precision.INT4, 42);
    }

    private void buildAs(Precision precision, long seed) throws EngineFormatException {
        folder = engines.resolve("toy");
        pack = folder.resolve("host.pack");
        Recipe recipe = new Recipe("toy", SHAPE, precision, seed);
        new EngineBuilder().build(new EngineEntry("toy", folder, recipe, EngineEntry.State.RECIPE_ONLY, null, ""),
                done -> {});
    }

    private void buildFp8InGroups() throws EngineFormatException {
        buildAs(Precision.FP8, 42);
        new EngineBuilder().build(folder,
                new EngineMaterial("toy", SHAPE, new WeightFormats(Precision.FP8, Precision.FP8, 128),
                        new SyntheticWeights(SHAPE, 42), EngineText.BYTES, Map.of()),
                done -> {});
    }

    /// Logits of one prefill, with the engine's folder as it lies.
    private float[] logits() throws Exception {
        try (Engine engine = Engine.open(folder);
                Executor executor =
                        HostExecutor.open(engine, options(), LaneLayout.sharing(1), sizes(), new SystemClock())) {
            return logits(executor);
        }
    }

    private float[] logitsWithoutFile() throws Exception {
        try (Engine engine = Engine.open(folder);
                Executor executor = HostExecutor.open(engine.descriptor().shape(), engine.weights(), options(),
                        LaneLayout.sharing(1), sizes(), new SystemClock())) {
            return logits(executor);
        }
    }

    private static HostOptions options() {
        return new HostOptions(2, 1, true, 16, HostOptions.KvDtype.FP32, HostOptions.FloatActivations.FP32,
                HostOptions.Activations.FP32);
    }

    private static ExecutorSizes sizes() {
        return new ExecutorSizes(1 << 20, 32, 32, 4);
    }

    private static float[] logits(Executor executor) {
        CompletableFuture<StepOutcome> done = new CompletableFuture<>();
        StepSlice slice = new StepSlice(0, new int[]{3, 1, 4, 1, 5}, new int[]{2, 0}, true, Sampling.GREEDY);
        executor.submit(executor.lanes().get(0), new Step(0, List.of(slice), 0, true), done::complete);
        return HostRun.completed(done).logits()[0];
    }

    private boolean fits() throws Exception {
        try (Engine engine = Engine.open(folder)) {
            return new PackFile(engine, 2).fits();
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void flip(Path file, long position) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(position);
            int old = bytes.read();
            bytes.seek(position);
            bytes.write(old ^ 1);
        }
    }

    /// A header that is right but for one number, checksum included: only the number itself can give it away.
    private void forgeHeader(int position, int value) throws Exception {
        byte[] whole = Files.readAllBytes(pack);
        int headerBytes;
        try (Engine engine = Engine.open(folder)) {
            headerBytes = new PackHeader(engine, PackedModel.distinct(engine.weights())).bytes();
        }
        ByteBuffer header = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(position, value);
        CRC32C crc = new CRC32C();
        crc.update(whole, 0, headerBytes - 4);
        header.putInt(headerBytes - 4, (int) crc.getValue());
        Files.write(pack, whole);
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void logitsAreTheSameBitsWithTheFileAndWithout(Precision precision) throws Exception {
        buildAs(precision, 42);
        float[] without = logitsWithoutFile();
        assertThat(files()).containsExactly("engine.json", "weights.safetensors");
        float[] first = logits();
        assertThat(files()).containsExactly("engine.json", "host.pack", "weights.safetensors");
        assertThat(fits()).isTrue();
        FileTime written = Files.getLastModifiedTime(pack);
        float[] second = logits();
        assertThat(first).isEqualTo(without);
        assertThat(second).isEqualTo(without);
        assertThat(Files.getLastModifiedTime(pack)).isEqualTo(written);
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void everyMatrixOfTheFileEqualsThePackedOne(Precision precision) throws Exception {
        buildAs(precision, 42);
        logits();
        try (Engine engine = Engine.open(folder);
                PackedModel kept = new PackFile(engine, 2).open();
                PackedModel packed = PackedModel.inMemory(engine.weights(), 2)) {
            ModelWeights weights = engine.weights();
            for (WeightMatrix matrix : PackedModel.distinct(weights)) {
                assertThat(kept.of(matrix).lines().mismatch(packed.of(matrix).lines())).isEqualTo(-1);
                assertThat(kept.of(matrix).lines().isReadOnly()).isTrue();
                assertThat(kept.of(matrix).lines().address() % PackHeader.ALIGNMENT).isZero();
                assertThat(kept.of(matrix).rowScales()).isEqualTo(packed.of(matrix).rowScales());
                assertThat(kept.of(matrix).corrections().stored()).isEqualTo(packed.of(matrix).corrections().stored());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void damagedByteIsFoundAndTheFileRewritten(Precision precision) throws Exception {
        buildAs(precision, 42);
        float[] right = logits();
        byte[] whole = Files.readAllBytes(pack);
        long lines;
        long matrices;
        try (Engine engine = Engine.open(folder)) {
            List<WeightMatrix> sources = PackedModel.distinct(engine.weights());
            PackHeader header = new PackHeader(engine, sources);
            lines = header.offset(0);
            matrices = header.offset(sources.size() - 1) + PackedMatrix.bytes(sources.getLast());
        }
        List<Long> positions = new ArrayList<>(List.of(0L, 9L, 13L, 17L, 50L, lines, matrices - 1));
        if (precision == Precision.FP8) {
            positions.add(whole.length - 1L);
        }
        for (long position : positions) {
            flip(pack, position);
            assertThat(fits()).as("byte %d", position).isFalse();
            assertThat(logits()).isEqualTo(right);
            assertThat(Files.readAllBytes(pack)).as("made again after byte %d", position).isEqualTo(whole);
        }
    }

    @Test
    void fp8WithScalesOfGroupsIsKept() throws Exception {
        buildFp8InGroups();
        float[] without = logitsWithoutFile();
        assertThat(logits()).isEqualTo(without);
        assertThat(fits()).isTrue();
        assertThat(logits()).isEqualTo(without);
        byte[] whole = Files.readAllBytes(pack);
        for (long position : new long[]{whole.length / 2, whole.length - 1L}) {
            flip(pack, position);
            assertThat(fits()).as("byte %d", position).isFalse();
            assertThat(logits()).isEqualTo(without);
            assertThat(Files.readAllBytes(pack)).as("made again after byte %d", position).isEqualTo(whole);
        }
    }

    @Test
    void filesOfAnotherSizeAreRefused() throws Exception {
        logits();
        byte[] whole = Files.readAllBytes(pack);
        for (int length : new int[]{0, 1, 7, 100, 4096, whole.length / 2, whole.length - 1, whole.length + 1}) {
            Files.write(pack, Arrays.copyOf(whole, length));
            assertThat(fits()).as("%d bytes", length).isFalse();
        }
        Files.write(pack, whole);
        assertThat(fits()).isTrue();
    }

    @Test
    void otherHeaderFieldsAreRefusedDespiteAValidChecksum() throws Exception {
        logits();
        byte[] whole = Files.readAllBytes(pack);
        int versionAt = 8;
        for (int at = versionAt; at < versionAt + 16; at += 4) {
            int right = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
            for (int wrong : new int[]{0, -1, right + 1, 2 * right + 3, Integer.MAX_VALUE}) {
                forgeHeader(at, wrong);
                assertThat(fits()).as("%d at %d", wrong, at).isFalse();
            }
            forgeHeader(at, right);
            assertThat(fits()).isTrue();
        }
    }

    @Test
    void wrongOffsetsAndSizesAreRefusedDespiteAValidChecksum() throws Exception {
        buildAs(Precision.FP8, 42);
        logits();
        byte[] whole = Files.readAllBytes(pack);
        int headerBytes;
        int matrices;
        try (Engine engine = Engine.open(folder)) {
            List<WeightMatrix> sources = PackedModel.distinct(engine.weights());
            matrices = sources.size();
            headerBytes = new PackHeader(engine, sources).bytes();
        }
        int checks = headerBytes - 4 - 12 * matrices;
        int lastPlace = checks - 28;
        for (int at : new int[]{lastPlace, lastPlace + 4, lastPlace + 8, lastPlace + 12, lastPlace + 20, checks,
                checks + 4, checks + 8}) {
            int right = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
            for (int wrong : new int[]{-1, right + 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                forgeHeader(at, wrong);
                assertThat(fits()).as("%d at %d", wrong, at).isFalse();
            }
            Files.write(pack, whole);
        }
        assertThat(fits()).isTrue();
    }

    @Test
    void randomDamageNeverChangesALogit() throws Exception {
        float[] right = logits();
        byte[] whole = Files.readAllBytes(pack);
        for (int i = 0; i < 40; i++) {
            var random = new Seed(5).part(i).generator();
            byte[] bytes = Arrays.copyOf(whole, random.nextInt(8) == 0 ? random.nextInt(whole.length) : whole.length);
            for (int change = 0; change < 3 && bytes.length > 0; change++) {
                bytes[random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 900) : bytes.length)] =
                        (byte) random.nextInt(256);
            }
            Files.write(pack, bytes);
            assertThat(logits()).isEqualTo(right);
        }
    }

    @Test
    void changedWeightsAreRefused() throws Exception {
        logits();
        Path weights = folder.resolve("weights.safetensors");
        FileTime built = Files.getLastModifiedTime(weights);
        flip(weights, Files.size(weights) - 1);
        Files.setLastModifiedTime(weights, FileTime.from(built.toInstant().plusMillis(1)));
        assertThat(fits()).isFalse();
        float[] changed = logits();
        assertThat(changed).isEqualTo(logitsWithoutFile());
        assertThat(fits()).isTrue();
    }

    @Test
    void weightsFromAnotherSeedAreRefused() throws Exception {
        float[] old = logits();
        byte[] packed = Files.readAllBytes(pack);
        FileTime built = Files.getLastModifiedTime(folder.resolve("weights.safetensors"));
        buildAs(Precision.INT4, 43);
        assertThat(pack).doesNotExist();
        Files.write(pack, packed);
        Files.setLastModifiedTime(folder.resolve("weights.safetensors"), built);
        assertThat(fits()).isFalse();
        assertThat(logits()).isNotEqualTo(old).isEqualTo(logitsWithoutFile());
    }

    @Test
    void impossibleScalesAreRefusedBeforePacking() throws Exception {
        Path weights = folder.resolve("weights.safetensors");
        // F16 sorts after U8 in the file, so that the scales lie after the norms and before the bytes.
        byte[] bytes = Files.readAllBytes(weights);
        String header = new String(bytes, 8, (int) ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(0),
                StandardCharsets.UTF_8);
        String scale = header.substring(header.indexOf("embed.weight_scale"));
        int begin = Integer.parseInt(scale.substring(scale.indexOf("data_offsets\":[") + 15).split("\\D", 2)[0]);
        bytes[8 + header.length() + begin] = 0;
        bytes[8 + header.length() + begin + 1] = 0x7C;
        Files.write(weights, bytes);
        assertThatThrownBy(this::logits).isInstanceOf(ExecutorException.class).hasMessage(
                weights + ": Tensor embed.weight_scale has the invalid scale Infinity at 0. Build the engine again.");
        assertThat(files()).containsExactly("engine.json", "weights.safetensors");
    }

    @Test
    void unwritableFolderIsPackedInMemory() throws Exception {
        float[] right = logitsWithoutFile();
        Files.createDirectories(pack.resolve("occupied"));
        assertThat(logits()).isEqualTo(right);
        assertThat(files()).containsExactly("engine.json", "host.pack", "weights.safetensors");
    }

    @Test
    void readOnlyFolderIsPackedInMemory() throws Exception {
        float[] right = logitsWithoutFile();
        boolean readOnly = folder.toFile().setWritable(false);
        // No permission stops some users: for them a folder stands where the file belongs.
        if (Files.isWritable(folder)) {
            Files.createDirectories(pack.resolve("occupied"));
        }
        try {
            assertThat(logits()).isEqualTo(right);
            assertThat(Files.isRegularFile(pack)).isFalse();
        } finally {
            assertThat(readOnly && !folder.toFile().setWritable(true)).isFalse();
        }
    }

    @Test
    void fileOfAKilledProcessWithThisPidIsReplaced() throws Exception {
        Path left = Files
                .writeString(folder.resolve(".writing-" + ProcessHandle.current().pid() + "-1700000000000-7.tmp"), "x");
        logits();
        assertThat(files()).containsExactly("engine.json", "host.pack", "weights.safetensors");
        assertThat(fits()).isTrue();
    }

    @Test
    void staleFilesAreRemovedBeforeSpaceIsChecked() throws Exception {
        Path left = Files.writeString(folder.resolve(".writing-1-1700000000000-7.tmp"), "x");
        try (Engine engine = Engine.open(folder); PackedModel packed = PackedModel.inMemory(engine.weights(), 1)) {
            assertThat(new PackFile(engine, 1).write(packed, where -> Files.exists(left) ? 0 : Long.MAX_VALUE))
                    .isTrue();
        }
    }

    @Test
    void fullDiskIsNotFilledFurther() throws Exception {
        try (Engine engine = Engine.open(folder); PackedModel packed = PackedModel.inMemory(engine.weights(), 1)) {
            PackFile file = new PackFile(engine, 1);
            assertThat(file.write(packed, where -> 200L << 20)).isFalse();
            assertThat(file.write(packed, where -> {
                throw new IOException("gone");
            })).isFalse();
            assertThat(files()).containsExactly("engine.json", "weights.safetensors");
            assertThat(file.write(packed, where -> Long.MAX_VALUE)).isTrue();
        }
        assertThat(fits()).isTrue();
    }

    @Test
    void failedWriteLeavesNoFile() throws Exception {
        Path target = folder.resolve("other.pack");
        try (Arena arena = Arena.ofConfined();
                PackWriter writer = PackWriter.begin(target, 10, where -> Long.MAX_VALUE)) {
            writer.put(0, arena.allocate(10));
        }
        assertThat(files()).containsExactly("engine.json", "weights.safetensors");
    }

    @Test
    void onlyFilesOfKilledProcessesAreRemoved() throws Exception {
        Path dead = Files.writeString(folder.resolve(".writing-1-1700000000000-7.tmp"), "x");
        try (HeldFile alive = HeldFile.hold(folder, Leftovers.WRITING, "-y.tmp")) {
            logits();
            assertThat(dead).doesNotExist();
            assertThat(files()).hasSize(4).contains("engine.json", "host.pack", "weights.safetensors");
            alive.moveTo(folder.resolve("moved"));
        }
        assertThat(fits()).isTrue();
    }

    @Test
    void concurrentOpensGetTheSameLogits() throws Exception {
        float[] right = logitsWithoutFile();
        List<CompletableFuture<float[]>> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(CompletableFuture.supplyAsync(() -> {
                try {
                    return logits();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        for (CompletableFuture<float[]> one : all) {
            assertThat(one.join()).isEqualTo(right);
        }
        assertThat(fits()).isTrue();
    }

    @Test
    void correctionsAtOtherPlacesAreRefused() {
        var random = new Seed(3).generator();
        WeightMatrix.Fp8 matrix = RandomModel.fp8(40, 30, 0, 10, random);
        try (Arena arena = Arena.ofShared()) {
            PackedMatrix packed = new PackedMatrix(matrix, arena);
            for (int unit = 0; unit < packed.units(); unit++) {
                packed.packUnit(unit);
            }
            int units = packed.units();
            // Random FP8 has many codes without exponent; one place of the first unit, made by hand, is as good as any.
            MemorySegment lines = arena.allocate(packed.lines().byteSize());
            int[] good = new int[units + 1];
            good[0] = 1;
            good[units] = 0;
            assertThat(Fp8Corrections.restored(good, lines, matrix)).isNotNull();
            assertThat(Fp8Corrections.restored(good, lines, matrix).stored()).isEqualTo(good);
            for (int place : new int[]{-1, 30 * Vectors.UNIT, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                int[] bad = good.clone();
                bad[units] = place;
                assertThat(Fp8Corrections.restored(bad, lines, matrix)).as("place %d", place).isNull();
            }
            for (int count : new int[]{-2, 0, 2, Integer.MAX_VALUE}) {
                int[] bad = good.clone();
                bad[0] = count;
                assertThat(Fp8Corrections.restored(bad, lines, matrix)).as("count %d", count).isNull();
            }
            assertThat(Fp8Corrections.restored(new int[0], lines, matrix)).isNull();
            lines.fill((byte) 0x40);
            assertThat(Fp8Corrections.restored(good, lines, matrix)).as("a code that needs none").isNull();
        }
    }
}
