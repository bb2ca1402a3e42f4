package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.SpecReader;
import org.inferometer.ui.fx.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionTest {
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

    @Test
    void whatWasOpenIsReadBack() throws IOException {
        assertThat(session.last(new SpecReader())).isEmpty();
        Path result = Files.createDirectories(folder.resolve("workspace/results/one"));
        Session.Open open = new Session.Open(NavigationRail.View.TIMELINE, result,
                new Presets().find("memory").named("mine"), "ssh:gpu1");
        session.save(open, false);
        assertThat(session("workspace").last(new SpecReader())).contains(open);
        assertThat(session("workspace").broke()).isFalse();
        assertThat(session("other").last(new SpecReader())).isEmpty();
    }

    @Test
    void sessionThatDidNotEndIsKnown() {
        session.save(new Session.Open(NavigationRail.View.RESULTS, null, null, ""), true);
        assertThat(session("workspace").broke()).isTrue();
        assertThat(session("other").broke()).isFalse();
    }

    @Test
    void missingResultAndDamagedExperimentAreLeftOut() throws IOException {
        session.save(new Session.Open(NavigationRail.View.RESULTS, folder.resolve("gone"),
                new Presets().find("memory").named("mine"), ""), false);
        Files.writeString(folder.resolve("session.yaml"), "engines: 7: 8");
        assertThat(session("workspace").last(new SpecReader()))
                .contains(new Session.Open(NavigationRail.View.RESULTS, null, null, ""));
    }
}
