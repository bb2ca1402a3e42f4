package org.inferometer.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.inferometer.experiment.PlanFault;
import org.inferometer.suite.SuiteFile.ExperimentFile;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.SuiteFile.TestId;
import org.inferometer.suite.SuiteFile.UnreadableFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteTest {
    @TempDir
    Path folder;

    private Path write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private TestFile test(String path) throws IOException {
        return (TestFile) new Suite(folder).files().stream().filter(file -> file.file().endsWith(path)).findFirst()
                .orElseThrow();
    }

    @Test
    void everyFileIsReadAndABrokenOneHidesNoOther() throws IOException {
        write("b.yaml", "engines: [tiny-int4]\nschedulers: [naive, continuous]\nworkloads: [short, long]\nruns: 5\n");
        write("deep/er/a.yml", "engines: [tiny-int4]\nworkloads: [shrt]\n");
        write("c.yaml", "{");
        write("notes.txt", "no experiment");
        write(".git/d.yaml", "of another tool");
        write("disagg/perf/t.yaml", ServingConfigurations.MINIMAL);
        List<SuiteFile> files = new Suite(folder).files();

        assertThat(files).extracting(file -> folder.relativize(file.file()).toString()).containsExactly("b.yaml",
                "c.yaml", "deep/er/a.yml", "disagg/perf/t.yaml");
        assertThat(((ExperimentFile) files.get(0)).runs()).isEqualTo(20);
        assertThat(((UnreadableFile) files.get(1)).faults()).extracting(PlanFault::where).containsExactly("c.yaml:1");
        ExperimentFile faulty = (ExperimentFile) files.get(2);
        assertThat(faulty.faults()).extracting(PlanFault::where).containsExactly("deep/er/a.yml:1", "deep/er/a.yml:2");
        assertThat(faulty.runs()).isZero();
        assertThat(((TestFile) files.get(3)).id()).isEqualTo(new TestId("disagg", "perf", "t"));
    }

    @Test
    void emptyFileIsNoExperiment() throws IOException {
        write("disagg/perf/empty.yaml", "");
        write("disagg/perf/notes.yaml", "# later\n");
        List<SuiteFile> files = new Suite(folder).files();

        assertThat(files).allSatisfy(
                file -> assertThat(((UnreadableFile) file).faults()).extracting(PlanFault::sentence).containsExactly(
                        "The file is empty. Write a test configuration or an experiment, or delete it."));
        assertThat(((UnreadableFile) files.getFirst()).faults().getFirst().where()).isEqualTo("disagg/perf/empty.yaml");
    }

    @Test
    void linksAreFollowedAndNoYamlNameVanishes() throws IOException {
        write("real/disagg/perf/t.yaml", ServingConfigurations.MINIMAL);
        Path suite = Files.createDirectory(folder.resolve("suite"));
        Files.createSymbolicLink(suite.resolve("disagg"), folder.resolve("real/disagg"));
        Files.createSymbolicLink(suite.resolve("loop"), suite);
        Files.createSymbolicLink(suite.resolve("gone.yaml"), folder.resolve("nowhere"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), suite);

        List<SuiteFile> files = new Suite(link).files();
        assertThat(files).extracting(file -> link.relativize(file.file()).toString())
                .containsExactly("disagg/perf/t.yaml", "gone.yaml");
        assertThat(((TestFile) files.get(0)).id()).isEqualTo(new TestId("disagg", "perf", "t"));
        assertThat(((UnreadableFile) files.get(1)).faults()).extracting(PlanFault::sentence)
                .containsExactly("The file is missing");
    }

    @Test
    void foldersWithoutFilesAreRefused() throws IOException {
        assertThatThrownBy(() -> new Suite(folder).files()).isInstanceOf(IOException.class).hasMessage(folder
                + ": no experiments or test configurations (*.yaml) in it or in its subfolders. Give another folder.");
        Path file = write("a.yaml", ServingConfigurations.MINIMAL);
        assertThatThrownBy(() -> new Suite(file).files()).isInstanceOf(IOException.class)
                .hasMessage(file + ": a file. Give its folder, and choose tests of it with -k NAME.");
        assertThatThrownBy(() -> new Suite(folder.resolve("gone")).files()).isInstanceOf(IOException.class)
                .hasMessageContaining("no such folder");
    }

    @Test
    void escapesUnknownToYamlAreReadAsTheyStand() throws IOException {
        write("disagg/perf/t.yaml", ServingConfigurations.MINIMAL.replace("  mode: e2e",
                "  mode: e2e\n  metrics:\n    extractor_pattern: \"Custom \\d: \\s+([0-9.]+)\""));

        assertThat(test("t.yaml").findings()).extracting(
                finding -> finding.line() + " " + finding.severity() + " " + finding.rule() + " " + finding.found())
                .containsExactly("10 ERROR extractor_pattern 1 group", "10 NOTE escape ", "10 NOTE escape ");
    }

    @Test
    void selectionsGiveTheirReason() throws IOException {
        write("disagg/perf/one_1k1k.yaml", ServingConfigurations.MINIMAL);
        TestFile test = test("one_1k1k.yaml");

        assertThat(List.of(TestSelection.ALL.reason(test).orElse("chosen"),
                only("wideep", null, null, null, null, null).reason(test).orElse("chosen"),
                only("disagg", "accuracy", null, null, null, null).reason(test).orElse("chosen"),
                only(null, null, "gb200_oci", null, null, null).reason(test).orElse("chosen"),
                only(null, null, "H100", null, null, null).reason(test).orElse("chosen"),
                only(null, null, null, "perf and not wideep", null, null).reason(test).orElse("chosen"),
                only(null, null, null, "accuracy or stress", null, null).reason(test).orElse("chosen"),
                only(null, null, null, null, "ONE and not (8k or 2k)", null).reason(test).orElse("chosen"),
                only(null, null, null, null, "8k", null).reason(test).orElse("chosen"),
                only(null, null, null, null, null, Set.of("disagg_perf_one_1k1k")).reason(test).orElse("chosen"),
                only(null, null, null, null, null, Set.of("other")).reason(test).orElse("chosen")))
                .containsExactly("chosen", "another type", "another category", "chosen", "needs GB200", "chosen",
                        "not in -m", "chosen", "not in -k", "chosen", "not in the test list");
    }

    private static TestSelection only(String type, String category, String gpu, String marks, String names,
            Set<String> list) {
        return new TestSelection(Optional.ofNullable(type), Optional.ofNullable(category), Optional.ofNullable(gpu),
                Optional.ofNullable(marks).map(NameExpression::parse),
                Optional.ofNullable(names).map(NameExpression::parse), Optional.ofNullable(list));
    }

    @Test
    void conditionsThatAreNoneAreRefused() {
        for (String text : List.of("", "and", "a b", "a and", "(a", "a)", "not", "a & b", "a,b", "x".repeat(2000))) {
            assertThatThrownBy(() -> NameExpression.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is no condition");
        }
    }

    @Test
    void testListsHoldIdsAndNodes() throws IOException {
        Path list = write("list.txt", "# all\nplain-id\n\ntest_disagg.py::T::test_benchmark[node-id] # slow\n");

        assertThat(TestSelection.list(list)).containsExactly("plain-id", "node-id");
        assertThatThrownBy(() -> TestSelection.list(folder.resolve("gone"))).isInstanceOf(IOException.class);
    }

    @Test
    void changedConfigurationsAreReadOrRefused() throws IOException {
        Random random = new Random(7);
        String[] pieces = {"\n", ": ", "- ", "\"", "\\s", "&a ", "*a", "{", "]", "null", "<<", "  ", "\t", "9e99"};
        for (int i = 0; i < 600; i++) {
            StringBuilder text =
                    new StringBuilder(i % 2 == 0 ? ServingConfigurations.MINIMAL : ServingConfigurations.AGGREGATED);
            for (int change = random.nextInt(1, 4); change > 0; change--) {
                text.insert(random.nextInt(text.length()), pieces[random.nextInt(pieces.length)]);
            }
            write("disagg/perf/t.yaml", text.toString());
            assertThat(new Suite(folder).files()).as(text.toString()).hasSize(1);
        }
    }
}
