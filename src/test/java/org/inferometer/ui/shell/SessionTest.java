package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.SpecReader;
import org.inferometer.results.bundle.SavedLook;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.results.ListLook;
import org.inferometer.ui.results.ShownResults;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionTest {
    private static final SavedLook LOOK = new SavedLook(
            new SavedLook.PageLook("detail-tab-charts",
                    List.of(new SavedLook.ChartLook("detail-ttft", 0.5, 7.25, List.of("naive"))),
                    List.of(new SavedLook.TableLook("requests-table", List.of("b", "a"), "a", true)), "ttft > 2s"),
            new SavedLook.ComparisonLook(List.of(new SavedLook.ChartLook("comparison-x", null, null, List.of("fp8"))),
                    "ttft_p95=5%", true),
            new SavedLook.TimelineLook(1, List.of(new SavedLook.RequestRule("lane", "2", false)),
                    List.of("unattributed"), true));
    private static final ListLook LIST = new ListLook("int4", true, List.of(new ListLook.Chosen("ORIGIN", "Sample")),
            new SavedLook.TableLook("results-table", List.of("results.name"), "results.name", false));
    private final Path folder;
    private final Session session;

    SessionTest(@TempDir Path folder) {
        this.folder = folder;
        session = session("workspace");
    }

    private Session session(String workspace) {
        return Session.of(new Settings(folder.resolve("settings.properties")),
                folder.resolve(workspace).resolve("results"));
    }

    private Path result(String name) throws IOException {
        return Files.createDirectories(folder.resolve("workspace/results").resolve(name)).toAbsolutePath();
    }

    private ShownResults shown() throws IOException {
        return new ShownResults(Optional.of(result("one")),
                List.of(new ShownResults.ComparedPart(result("one"), "2"),
                        new ShownResults.ComparedPart(result("two"), "")),
                true, Optional.of(new ShownResults.TimelinePart(result("two"), 3, -5, 2_000_000)), LOOK);
    }

    private static Session.Open view(NavigationRail.View view, ShownResults shown) {
        return new Session.Open(view, shown, ListLook.NONE, null, "");
    }

    @Test
    void whatWasOpenIsReadBack() throws IOException {
        assertThat(session.last(new SpecReader())).isEqualTo(new Session.Last(Optional.empty(), false, ""));
        Session.Open open = new Session.Open(NavigationRail.View.TIMELINE, shown(), LIST,
                new Presets().find("memory").named("mine"), "ssh:gpu1");
        session.save(open, false);
        assertThat(session("workspace").last(new SpecReader()))
                .isEqualTo(new Session.Last(Optional.of(open), false, ""));
        assertThat(session("other").last(new SpecReader())).isEqualTo(new Session.Last(Optional.empty(), false, ""));
    }

    @Test
    void sessionThatDidNotEndIsKnown() {
        session.save(view(NavigationRail.View.RESULTS, ShownResults.NONE), true);
        assertThat(session("workspace").last(new SpecReader()).broke()).isTrue();
        assertThat(session("other").last(new SpecReader()).broke()).isFalse();
    }

    @Test
    void missingResultsAndDamagedExperimentAreLeftOut() throws IOException {
        ShownResults gone = new ShownResults(Optional.of(folder.resolve("gone")),
                List.of(new ShownResults.ComparedPart(folder.resolve("gone"), ""),
                        new ShownResults.ComparedPart(result("two"), "")),
                false, Optional.of(new ShownResults.TimelinePart(folder.resolve("gone"), 0, 0, 9)), LOOK);
        session.save(new Session.Open(NavigationRail.View.RESULTS, gone, ListLook.NONE,
                new Presets().find("memory").named("mine"), ""), false);
        Files.writeString(folder.resolve("session.yaml"), "engines: 7: 8");
        assertThat(session("workspace").last(new SpecReader()).open()).contains(view(NavigationRail.View.RESULTS,
                new ShownResults(Optional.empty(), List.of(), false, Optional.empty(), LOOK)));
    }

    @Test
    void sessionOfAnOlderVersionShowsItsResult() throws IOException {
        session.save(view(NavigationRail.View.RESULTS, shown()), false);
        Files.delete(folder.resolve("session.json"));
        assertThat(session("workspace").last(new SpecReader())).isEqualTo(new Session.Last(Optional.of(view(
                NavigationRail.View.RESULTS,
                new ShownResults(Optional.of(result("one")), List.of(), false, Optional.empty(), SavedLook.NONE))),
                false, ""));
    }

    @Test
    void damagedSessionIsKeptAsideAndNamed() throws IOException {
        session.save(view(NavigationRail.View.RESULTS, shown()), false);
        Path file = folder.resolve("session.json");
        String whole = Files.readString(file);
        Path aside = folder.resolve("session-damaged.json");
        for (byte[] damaged : List.of(whole.substring(0, whole.length() / 2).getBytes(StandardCharsets.UTF_8),
                whole.replaceFirst("\"formatVersion\" : 1", "\"formatVersion\" : 99").getBytes(StandardCharsets.UTF_8),
                new byte[2 << 20])) {
            Files.write(file, damaged);
            Session.Last last = session("workspace").last(new SpecReader());
            assertThat(last.open().orElseThrow().shown().opened()).contains(result("one"));
            assertThat(last.problem()).isEqualTo(
                    "What was open last time is shown in part, because its file cannot be read; it is kept as " + aside
                            + ".");
            assertThat(aside).hasBinaryContent(damaged);
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void unknownPartsOfASessionAreIgnored() throws IOException {
        session.save(view(NavigationRail.View.RESULTS, shown()), false);
        Path file = folder.resolve("session.json");
        Files.writeString(file, Files.readString(file).replaceFirst("\"strict\" : true",
                "\"strict\" : true, \"colour\" : [ 1, { \"a\" : null } ]"));
        assertThat(session("workspace").last(new SpecReader()).open().orElseThrow().shown()).isEqualTo(shown());
    }
}
