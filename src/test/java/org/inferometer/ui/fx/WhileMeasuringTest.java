package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.ui.fx.WhileMeasuring.Answer;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.Test;

class WhileMeasuringTest {
    private final List<String> heard = new ArrayList<>();
    private Answer answer = Answer.AFTERWARDS;
    private final WhileMeasuring measuring = new WhileMeasuring(work -> {
        heard.add("asked " + work.label());
        return answer;
    });
    private final BackgroundWork work = new BackgroundWork(Runnable::run, new InlineUi(), measuring);

    private void run(WindowWork kind) {
        work.run(kind, () -> "did " + kind.label(), heard::add, failure -> heard.add("failed"),
                () -> heard.add("not now"));
    }

    private List<String> heard() {
        List<String> all = List.copyOf(heard);
        heard.clear();
        return all;
    }

    private void begin() {
        measuring.begin(label -> {
            heard.add("begin " + label);
            return () -> heard.add("end " + label);
        });
    }

    @Test
    void nothingIsAskedOrNotedWithoutAnExperiment() {
        Arrays.stream(WindowWork.values()).forEach(this::run);
        assertThat(heard()).containsExactlyElementsOf(
                Arrays.stream(WindowWork.values()).map(kind -> "did " + kind.label()).toList());
    }

    @Test
    void smallWorkIsNotedAndTheWindowsOwnIsNot() {
        begin();
        run(WindowWork.OPEN_RESULT);
        run(WindowWork.OWN);
        assertThat(heard()).containsExactly("begin open result", "end open result", "did open result", "did ");
    }

    @Test
    void heavyWorkIsDoneAfterwardsNowOrNotAtAll() {
        begin();
        run(WindowWork.IMPORT);
        run(WindowWork.REPORT);
        assertThat(heard()).containsExactly("asked import", "not now", "asked report", "not now");
        answer = Answer.NOW;
        run(WindowWork.EXPORT);
        assertThat(heard()).containsExactly("asked export", "begin export", "end export", "did export");
        answer = Answer.NOT_AT_ALL;
        run(WindowWork.BUNDLE);
        assertThat(heard()).containsExactly("asked bundle", "not now");
        assertThat(measuring.postponed()).extracting(WhileMeasuring.Postponed::work).containsExactly(WindowWork.IMPORT,
                WindowWork.REPORT);
        measuring.postponed().removeFirst();
        measuring.end();
        assertThat(heard()).containsExactly("did report");
    }

    @Test
    void workOfTheLatestStartWaitsToo() {
        LatestWork latest = new LatestWork(work);
        begin();
        latest.run(WindowWork.LARGE_COMPARISON, () -> "first", heard::add, failure -> heard.add("failed"));
        latest.run(WindowWork.LARGE_COMPARISON, () -> "second", heard::add, failure -> heard.add("failed"));
        assertThat(latest.running().get()).isFalse();
        heard();
        measuring.end();
        assertThat(heard()).containsExactly("second");
    }

    @Test
    void workThatBeganBeforeTheExperimentIsNoted() {
        work.run(WindowWork.REPORT, () -> {
            begin();
            return "did report";
        }, heard::add, failure -> heard.add("failed"));
        assertThat(heard()).containsExactly("begin report", "end report", "did report");
    }

    @Test
    void viewsThatDrawAreNoted() {
        measuring.showView("results view");
        begin();
        measuring.showView(null);
        measuring.showView("timeline view");
        measuring.end();
        assertThat(heard()).containsExactly("begin results view", "end results view", "begin timeline view",
                "end timeline view");
    }

    @Test
    void everyKindOfWorkIsDoneSomewhere() throws IOException {
        StringBuilder code = new StringBuilder();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java/org/inferometer/ui"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                code.append(Files.readString(file));
            }
        }
        assertThat(WindowWork.values()).allMatch(kind -> code.indexOf("WindowWork." + kind.name()) >= 0);
    }
}
