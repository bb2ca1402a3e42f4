package org.inferometer.results.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.inferometer.chart.JFreeCharts;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.charts.ExperimentCharts;
import org.inferometer.report.compare.Findings;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.inferometer.results.TextAnonymizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class BundleTest {
    private static final Instant NOW = Instant.parse("2026-11-23T08:00:00Z");
    private static final TextAnonymizer SAFE = new TextAnonymizer(List.of("measurer", "lab-box-7"));
    private static final byte[] REPORT = "<p>report</p>".getBytes(StandardCharsets.UTF_8);
    @TempDir
    Path folder;

    private record Part(String name, byte[] content) {}

    private static List<String> digests(List<Part> parts) {
        return parts.stream().map(part -> part.name + " " + Arrays.hashCode(part.content)).toList();
    }

    private BundleManifest bundle(Path file, Optional<TextAnonymizer> safe, Path... results) throws IOException {
        List<ExperimentRecord> records = new ArrayList<>();
        for (Path result : results) {
            records.add(new ResultLibrary(folder).open(result));
        }
        BundleWriter writer = new BundleWriter("1.2", safe);
        BundleView view = BundleView.of(writer.folders(List.of(results)));
        return writer.write(new BundleWriter.Contents(records, view, "Compare at 4/s on lab-box-7.", REPORT), NOW,
                file);
    }

    private Path sample() throws IOException {
        Path result = folder.resolve("2026-11-21_141503_quick");
        SampleRecords.writeExperiment(result, 2);
        return result;
    }

    private static List<Part> parts(Path zip) throws IOException {
        List<Part> parts = new ArrayList<>();
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                parts.add(new Part(entry.getName(), in.readAllBytes()));
            }
        }
        return parts;
    }

    private static void write(Path zip, List<Part> parts) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (Part part : parts) {
                out.putNextEntry(new ZipEntry(part.name()));
                out.write(part.content());
            }
        }
        Files.write(zip, bytes.toByteArray());
    }

    private List<String> workspace() throws IOException {
        Path results = folder.resolve("workspace");
        if (!Files.exists(results)) {
            return List.of();
        }
        try (Stream<Path> inside = Files.list(results)) {
            return inside.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    private static List<String> pictures(ExperimentRecord record) {
        return new ExperimentCharts(record).all().stream()
                .map(chart -> new JFreeCharts().svg(ChartSheet.of(chart), 900, 400, Shade.LIGHT, "")).toList();
    }

    @Test
    void unpackedResultsGiveTheSameFiguresFindingsAndCharts() throws IOException {
        Path result = sample();
        Path file = folder.resolve("x.inferometer");
        BundleManifest written = bundle(file, Optional.of(SAFE), result);
        BundleReader.Unpacked unpacked = new BundleReader(folder.resolve("workspace")).unpack(file);
        assertThat(unpacked.manifest()).isEqualTo(written);
        assertThat(written.view()).isEqualTo(new BundleView("2026-11-21_141503_quick", List.of(), false, null));
        assertThat(written.notes()).isEqualTo("Compare at 4/s on (name).");
        ExperimentRecord before = new ResultLibrary(folder).open(result);
        ExperimentRecord after = new ResultLibrary(folder).open(unpacked.folders().get("2026-11-21_141503_quick"));
        assertThat(after.manifest().cells()).isEqualTo(before.manifest().cells());
        assertThat(Findings.of(after)).isEqualTo(Findings.of(before));
        assertThat(pictures(after)).hasSizeGreaterThan(5).isEqualTo(pictures(before));
        assertThat(parts(file).get(1)).usingRecursiveComparison().isEqualTo(new Part("report.html", REPORT));
    }

    @Test
    void equalResultsAreUnpackedOnceAndOthersGetANumber() throws IOException {
        Path result = sample();
        Path file = folder.resolve("x.inferometer");
        Path exact = folder.resolve("exact.inferometer");
        bundle(file, Optional.of(SAFE), result);
        assertThat(bundle(exact, Optional.empty(), result).removed()).isEmpty();
        BundleReader reader = new BundleReader(folder.resolve("workspace"));
        List<Set<String>> known = new ArrayList<>();
        for (Path each : List.of(file, exact, file, exact)) {
            known.add(reader.unpack(each).known());
        }
        assertThat(known).containsExactly(Set.of(), Set.of(), Set.of("2026-11-21_141503_quick"),
                Set.of("2026-11-21_141503_quick"));
        assertThat(workspace()).containsExactly("2026-11-21_141503_quick", "2026-11-21_141503_quick-2");
        for (Path each : List.of(result.resolve("experiment.json"), result.resolve("run-000/tokens.bin"))) {
            Path exactly = folder.resolve("workspace/2026-11-21_141503_quick-2").resolve(result.relativize(each));
            assertThat(exactly).hasSameBinaryContentAs(each);
        }
    }

    @Test
    void ownBundleIsNotUnpackedBesideItsResult() throws IOException {
        Path result = folder.resolve("workspace").resolve("mine");
        SampleRecords.writeExperiment(result, 2);
        Path sample = folder.resolve("samples").resolve("theirs");
        SampleRecords.writeExperiment(sample, 3);
        Path file = folder.resolve("x.inferometer");
        bundle(file, Optional.of(SAFE), result, sample);
        BundleReader.Unpacked unpacked =
                new BundleReader(folder.resolve("workspace"), folder.resolve("samples")).unpack(file);
        assertThat(unpacked.folders()).isEqualTo(Map.of("mine", result, "theirs", sample));
        assertThat(unpacked.known()).isEqualTo(Set.of("mine", "theirs"));
        assertThat(workspace()).containsExactly("mine");
    }

    @Test
    void lookIsKeptWithoutPrivateTexts() throws IOException {
        Path result = sample();
        SavedLook look = look("lab-box-7", "reason = lab-box-7");
        BundleView view = new BundleView("r", List.of(), false, null, look);
        for (Optional<TextAnonymizer> safe : List.of(Optional.of(SAFE), Optional.<TextAnonymizer>empty())) {
            Path file = folder.resolve("x" + safe.isPresent() + ".inferometer");
            new BundleWriter("1.2", safe).write(
                    new BundleWriter.Contents(List.of(new ResultLibrary(folder).open(result)), view, "", REPORT), NOW,
                    file);
            assertThat(new BundleReader(folder.resolve("workspace")).unpack(file).manifest().view().look())
                    .isEqualTo(safe.isPresent() ? look("(name)", "reason = (name)") : look);
        }
    }

    private static SavedLook look(String series, String conditions) {
        List<SavedLook.ChartLook> charts =
                List.of(new SavedLook.ChartLook("detail-ttft", 0.25, 8.0, List.of(series, "naive")));
        return new SavedLook(
                new SavedLook.PageLook("detail-tab-charts", charts,
                        List.of(new SavedLook.TableLook("requests-table", List.of("a", "b"), "b", true)), conditions),
                new SavedLook.ComparisonLook(charts, "ttft_p95=5%", true), new SavedLook.TimelineLook(2,
                        List.of(new SavedLook.RequestRule("status", "failed", true)), List.of("weights"), true));
    }

    @Test
    void bundleWithoutLookOpensAsBefore() throws IOException {
        Path file = folder.resolve("x.inferometer");
        bundle(file, Optional.empty(), sample());
        List<Part> parts = parts(file);
        String json = new String(parts.getFirst().content(), StandardCharsets.UTF_8);
        String older = json.replaceFirst("(?s),\\s*\"look\" : \\{.*?\\n    \\}(?=\\n  \\})", "");
        assertThat(older).contains("\"timeline\" : null").doesNotContain("look", "hiddenMemory");
        parts.set(0, new Part("bundle.json", older.getBytes(StandardCharsets.UTF_8)));
        write(file, parts);
        assertThat(new BundleReader(folder.resolve("workspace")).unpack(file).manifest().view())
                .isEqualTo(new BundleView("2026-11-21_141503_quick", List.of(), false, null));
    }

    @Test
    void shareSafeBundlesHoldNoHostUserOrPathAndSaySo() throws IOException {
        Path result = folder.resolve("home-of-measurer").resolve("measurer");
        SampleRecords.writeWithSecrets(result);
        Path file = folder.resolve("x.inferometer");
        BundleManifest manifest = bundle(file, Optional.of(SAFE), result);
        for (Part part : parts(file)) {
            assertThat(part.name() + new String(part.content(), StandardCharsets.ISO_8859_1)).as(part.name())
                    .doesNotContain("measurer", "lab-box-7", folder.toString(), "/home", "10.0.0.3", "anna", "private");
        }
        assertThat(manifest.removed()).hasSize(4).anyMatch(part -> part.startsWith("paths in "))
                .contains("prompts and answers of 4 requests");
        assertThat(manifest.results()).containsExactly("(name)");
        BundleReader.Unpacked unpacked = new BundleReader(folder.resolve("workspace")).unpack(file);
        ExperimentRecord original = new ResultLibrary(folder).open(result);
        ExperimentRecord copy = new ResultLibrary(folder).open(unpacked.folders().get("(name)"));
        assertThat(copy.manifest().cells()).isEqualTo(original.manifest().cells());
    }

    /// A change of a valid bundle, and the sentence that refuses it.
    private record Attack(String name, UnaryOperator<List<Part>> change, String sentence) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static UnaryOperator<List<Part>> listed(String from, String to) {
        return parts -> Stream
                .concat(Stream.of(new Part("bundle.json", new String(parts.getFirst().content(), StandardCharsets.UTF_8)
                        .replaceFirst(from, to).getBytes(StandardCharsets.UTF_8))), parts.stream().skip(1))
                .toList();
    }

    private static UnaryOperator<List<Part>> renamed(String from, String to) {
        return parts -> listed("\"" + from + "\"", "\"" + to + "\"").apply(parts).stream()
                .map(part -> part.name().equals(from) ? new Part(to.replace("\\\\", "\\"), part.content()) : part)
                .toList();
    }

    static Stream<Attack> attacks() {
        return Stream.concat(attacksByNames(), attacksByContent());
    }

    private static Stream<Attack> attacksByNames() {
        String one = "results/2026-11-21_141503_quick/experiment.json";
        String notAllowed = "the bundle lists a file whose name or size is not allowed. Nothing was written.";
        return Stream.of(
                new Attack("path out of the folder", renamed(one, "results/2026-11-21_141503_quick/../x"), notAllowed),
                new Attack("absolute path", renamed(one, "/results/2026-11-21_141503_quick/x"), notAllowed),
                new Attack("backslashes", renamed(one, "results/2026-11-21_141503_quick/..\\\\\\\\x"), notAllowed),
                new Attack("too deep", renamed(one, "results/2026-11-21_141503_quick/a/b/c"), notAllowed),
                new Attack("result that leaves the workspace", listed("\"2026-11-21_141503_quick\" ]", "\"..\" ]"),
                        "the bundle has a result with an invalid or repeated name."),
                new Attack("script in a result", renamed(one, "results/2026-11-21_141503_quick/run.sh"),
                        "the bundle lists results/2026-11-21_141503_quick/run.sh, which no result of this version has. "
                                + "Update if a newer Inferometer wrote it; else do not open it. Nothing was written."),
                new Attack("file of a run beside the runs", renamed(one, "results/2026-11-21_141503_quick/run.json"),
                        "quick/run.json, which no result of this version has."),
                new Attack("program as imported file", renamed(one, "results/2026-11-21_141503_quick/source.exe"),
                        "quick/source.exe, which no result of this version has."),
                new Attack("script in a run", renamed(one, "results/2026-11-21_141503_quick/run-000/run.bat"),
                        "run-000/run.bat, which no result of this version has."),
                new Attack("device of Windows", renamed(one, "results/2026-11-21_141503_quick/CON"), notAllowed),
                new Attack("device as a folder", renamed(one, "results/2026-11-21_141503_quick/aux.1/run.json"),
                        notAllowed),
                new Attack("stream of a file", renamed(one, "results/2026-11-21_141503_quick/experiment.json:x"),
                        notAllowed),
                new Attack("long name",
                        renamed(one, "results/2026-11-21_141503_quick/" + "r".repeat(300) + "/run.json"), notAllowed),
                new Attack("result that is a device", listed("\"2026-11-21_141503_quick\" ]", "\"nul.x\" ]"),
                        "the bundle has a result with an invalid or repeated name."),
                new Attack("results that differ in the Unicode form",
                        listed("\"2026-11-21_141503_quick\" ]",
                                "\"2026-11-21_141503_quick\", \"\u00fc\", \"u\u0308\" ]"),
                        "the bundle has a result with an invalid or repeated name."));
    }

    private static Stream<Attack> attacksByContent() {
        String one = "results/2026-11-21_141503_quick/experiment.json";
        String notAllowed = "the bundle lists a file whose name or size is not allowed. Nothing was written.";
        return Stream.of(new Attack("negative size", listed("\"bytes\" : \\d+", "\"bytes\" : -1"), notAllowed),
                new Attack("huge size", listed("\"bytes\" : \\d+", "\"bytes\" : 17179869184000"), notAllowed),
                new Attack("bomb that is listed", listed("\"bytes\" : \\d+", "\"bytes\" : 15000000000"),
                        "claims to hold 14305 MiB. Records do not shrink that much. Nothing was written."),
                new Attack("bomb that is not listed", parts -> parts.stream()
                        .map(part -> part.name().equals(one) ? new Part(one, new byte[50 << 20]) : part).toList(),
                        "a file of the bundle is not as long as it lists."),
                new Attack("changed file", parts -> parts.stream()
                        .map(part -> part.name().equals(one) ? new Part(one, new byte[part.content().length]) : part)
                        .toList(), "a file of the bundle is damaged. Ask for it again."),
                new Attack("file that is not listed",
                        parts -> Stream.concat(parts.stream(), Stream.of(new Part("evil.sh", new byte[3]))).toList(),
                        "the bundle holds files that it does not list."),
                new Attack("missing file", parts -> parts.subList(0, parts.size() - 1),
                        "the file is damaged or incomplete. Ask for it again."),
                new Attack("no list", parts -> parts.subList(1, parts.size()), "this is not a bundle of Inferometer."),
                new Attack("newer format", listed("\"formatVersion\" : 1", "\"formatVersion\" : 2"),
                        "the bundle has format 2; this version reads 1. Use a newer Inferometer."),
                new Attack("other JSON",
                        parts -> List.of(new Part("bundle.json", "[1, 2".getBytes(StandardCharsets.UTF_8))),
                        "the list of the bundle's files cannot be read. Ask for it again."),
                new Attack("deep JSON",
                        parts -> List.of(new Part("bundle.json", "[".repeat(100_000).getBytes(StandardCharsets.UTF_8))),
                        "the list of the bundle's files cannot be read. Ask for it again."),
                new Attack("file twice",
                        parts -> listed("\"path\" : \"report.html\"", "\"path\" : \"" + one + "\"").apply(parts),
                        "the bundle lists a file twice. Nothing was written."),
                new Attack("folders that differ in case",
                        parts -> listed("run-000[^/\"]*/events", "RUN-X/events")
                                .andThen(listed("run-000[^/\"]*/run.json", "run-x/run.json")).apply(parts),
                        "the bundle spells a folder in two ways"),
                new Attack("empty list", listed("(?s)\"results\" : .*", "\"results\" : [], \"files\" : [] }"),
                        "the bundle lists 0 results and 0 files; 1 to 100 results and at most 60000 files are allowed."));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void hostileBundlesAreRefusedAndLeaveNothing(Attack attack) throws IOException {
        Path file = folder.resolve("x.inferometer");
        bundle(file, Optional.of(SAFE), sample());
        List<Part> before = parts(file);
        List<Part> changed = attack.change().apply(before);
        assertThat(digests(changed)).isNotEqualTo(digests(before));
        write(file, changed);
        assertThatThrownBy(() -> new BundleReader(folder.resolve("workspace")).unpack(file))
                .isInstanceOf(ResultFormatException.class).hasMessageContaining(attack.sentence());
        assertThat(workspace()).isEmpty();
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @Test
    void truncatedAndForeignFilesAreRefused() throws IOException {
        Path file = folder.resolve("x.inferometer");
        bundle(file, Optional.of(SAFE), sample());
        byte[] whole = Files.readAllBytes(file);
        for (int length : List.of(0, 1, 30, 300, whole.length / 2)) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> new BundleReader(folder.resolve("workspace")).unpack(file))
                    .isInstanceOf(ResultFormatException.class);
            assertThat(workspace()).isEmpty();
        }
        assertThatThrownBy(() -> new BundleReader(folder).unpack(folder.resolve("none.inferometer")))
                .hasMessageContaining("there is no such file.");
        assertThat(BundleReader.isBundle(Path.of("a", "X.Inferometer"))).isTrue();
        assertThat(BundleReader.isBundle(Path.of("x.zip"))).isFalse();
    }

    @Test
    void writingLeavesNothingBesideTheFile() throws IOException {
        Path result = sample();
        bundle(folder.resolve("x.inferometer"), Optional.of(SAFE), result);
        try (Stream<Path> inside = Files.list(folder)) {
            assertThat(inside.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder("2026-11-21_141503_quick", "x.inferometer");
        }
    }
}
