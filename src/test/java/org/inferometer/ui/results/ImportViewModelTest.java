package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.results.SampleRecords;
import org.inferometer.results.bundle.BundleView;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.results.exchange.ExportFiles;
import org.inferometer.results.exchange.Exporter;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportViewModelTest {
    @TempDir
    Path folder;

    private final List<String> said = new ArrayList<>();
    private LibraryTwin own;
    private ResultsViewModel results;
    private ImportViewModel imports;

    @BeforeEach
    void start() {
        own = new LibraryTwin(folder.resolve("results"));
        results = new ResultsViewModel(own.tools(), new InlineUi().work());
        imports = imports(results);
    }

    private ImportViewModel imports(ResultsViewModel model) {
        return new ImportViewModel(model, own.folder(), new InlineUi().work(), new SystemClock(), new Notifier() {
            @Override
            public void done(String sentence) {
                said.add(sentence);
            }

            @Override
            public void problem(String sentence) {
                said.add("problem: " + sentence);
            }
        }, bundle -> said.add("bundle: " + bundle.folders().keySet()));
    }

    @Test
    void bundlesAreUnpackedAndDamagedOnesAreNamed() throws IOException {
        Path result = folder.resolve("elsewhere");
        SampleRecords.writeExperiment(result, 1);
        BundleWriter writer = new BundleWriter("1.2", Optional.empty());
        Path bundle = folder.resolve("x.inferometer");
        writer.write(
                new BundleWriter.Contents(List.of(own.tools().open(result)),
                        BundleView.of(writer.folders(List.of(result))), "", new byte[0]),
                Instant.parse("2026-11-23T08:00:00Z"), bundle);
        Path broken = Files.write(folder.resolve("broken.inferometer"),
                Arrays.copyOf(Files.readAllBytes(bundle), (int) Files.size(bundle) / 2));
        imports.take(List.of(broken, bundle));
        assertThat(said).containsExactly("bundle: [elsewhere]");
        assertThat(results.rows()).extracting(ResultRow::folder).containsExactly(own.folder().resolve("elsewhere"));
        assertThat(results.problem().get())
                .isEqualTo(broken + ": the file is damaged or incomplete. Ask for it again.");
    }

    private Path exported(String format) throws IOException {
        return ResultExport.write(Experiments.virtual(folder), format, folder.resolve("out")).files().getFirst();
    }

    @Test
    void anImportedFileIsListedOpenedAndMarkedAndNobodyJudgesIt() throws IOException {
        imports.take(List.of(exported("vllm")));
        assertThat(results.problem().get()).isEmpty();
        assertThat(said).containsExactly("Imported 1 run, 56 requests");
        assertThat(results.rows()).singleElement().satisfies(row -> {
            assertThat(row.imported()).isTrue();
            assertThat(row.name()).isEqualTo("imported-vllm");
            assertThat(row.grade()).isEmpty();
        });
        OpenedExperiment opened = results.opened().get();
        assertThat(opened.record().folder().getParent()).isEqualTo(own.folder());
        assertThat(opened.record().runs().getFirst().notes())
                .anyMatch(note -> note.startsWith("Imported from vLLM. The conditions of a verdict"));
        assertThat(imports.importing().get()).isFalse();
    }

    @Test
    void whatCannotBeReadIsOneSentenceAndTheOthersAreTakenOver() throws IOException {
        Path broken = Files.writeString(folder.resolve("notes.json"), "{\"milk\": 2}");
        imports.take(List.of(broken, exported("guidellm")));
        assertThat(results.rows()).hasSize(1);
        assertThat(results.problem().get())
                .startsWith(broken + ": the format is not supported. Choose a file of vllm, ").hasLineCount(1);
        imports.take(List.of(folder.resolve("gone.json")));
        assertThat(results.problem().get()).isEqualTo(folder.resolve("gone.json") + ": the file does not exist.");
        assertThat(results.rows()).hasSize(1);
    }

    @Test
    void everyFormatOfRunsIsWrittenAFileARunAndNothingIsReplaced() throws IOException {
        ExperimentRecord record = Experiments.virtual(folder);
        for (String format : Exporter.formatNames()) {
            assertThat(ResultExport.write(record, format, folder.resolve(format)).files()).hasSameSizeAs(record.runs())
                    .allMatch(Files::exists);
        }
        Path there = folder.resolve("vllm").resolve("run-0-vllm.json");
        byte[] before = Files.readAllBytes(there);
        assertThatThrownBy(() -> ResultExport.write(record, "vllm", folder.resolve("vllm")))
                .isInstanceOf(IOException.class).hasMessage(there + " exists already. Choose an empty folder.");
        assertThat(Files.readAllBytes(there)).isEqualTo(before);
        assertThat(ExportFiles.formats()).extracting(ResultExport::label).containsExactly("AIPerf", "GuideLLM",
                "SGLang", "trtllm-bench", "vLLM", "benchmark-tables", "llama-bench", "llama-bench-jsonl",
                "llama-bench-csv");
    }

    @Test
    void runThatCannotBeWrittenLeavesNoFolder() throws IOException {
        ExperimentRecord record = Experiments.virtual(folder);
        RunRecord first = record.runs().getFirst();
        // A file stands where this one's folder would have to be.
        RunRecord unwritable = new RunRecord(first.folderName() + "-vllm.json/below", first.manifest(),
                first.observations(), first.notes());
        ExperimentRecord twice =
                new ExperimentRecord(record.folder(), record.manifest(), List.of(first, unwritable), List.of());
        assertThatThrownBy(() -> ResultExport.write(twice, "vllm", folder.resolve("out")))
                .isInstanceOf(IOException.class);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aTableThatTheResultCannotFillSaysWhyAndLeavesNoFile() throws IOException {
        ExperimentRecord record = Experiments.virtual(folder);
        assertThatThrownBy(() -> ResultExport.write(record, "benchmark-tables", folder.resolve("out")))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("has no prefill or decode latencies. benchmark-tables needs them.");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aResultWithoutRequestsSaysWhyNothingIsExported() {
        ExperimentRecord empty = Experiments.record(folder,
                Experiments.manifest("old", Experiments.QUICK, RunStatus.COMPLETE, null, Instant.EPOCH), List.of());
        assertThatThrownBy(() -> ResultExport.write(empty, "vllm", folder.resolve("out")))
                .hasMessage("run-0 has figures but no requests. It cannot be exported as vllm.");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aFolderStandsForTheFilesInItAndAResultForItself() throws IOException {
        Path exports = exported("vllm").getParent();
        Files.writeString(exports.resolve("README.txt"), "what these are");
        Files.writeString(exports.resolve(".hidden.json"), "{}");
        Files.createDirectories(exports.resolve("deeper.json"));
        int files = (int) Files.list(exports).filter(file -> file.toString().endsWith("-vllm.json")).count();
        imports.take(List.of(exports));
        assertThat(results.problem().get()).isEmpty();
        assertThat(results.rows()).hasSize(files);
        Path mine = results.rows().getFirst().folder();
        results.close();
        imports.take(List.of(mine));
        assertThat(results.opened().get().record().folder()).isEqualTo(mine);
        results.close();
        imports.take(List.of(mine.resolve("experiment.json")));
        assertThat(results.opened().get().record().folder()).isEqualTo(mine.toAbsolutePath());
        assertThat(results.rows()).hasSize(files);
        imports.take(List.of(Files.createDirectories(folder.resolve("nothing"))));
        assertThat(results.problem().get()).isEqualTo(folder.resolve("nothing")
                + ": the folder has no JSON, JSON lines, CSV, SQL or Markdown file. Give the files, or their folder.");
    }

    @Test
    void manyWrongFilesDoNotFillTheWindow() throws IOException {
        for (int i = 0; i < 9; i++) {
            Files.writeString(Files.createDirectories(folder.resolve("wrong")).resolve(i + ".json"), "{");
        }
        imports.take(List.of(folder.resolve("wrong")));
        assertThat(results.problem().get()).hasLineCount(6).endsWith("… and 4 more files that cannot be read.");
    }
}
