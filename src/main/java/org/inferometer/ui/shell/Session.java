package org.inferometer.ui.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.SpecReader;
import org.inferometer.experiment.SpecWriter;
import org.inferometer.results.AtomicFile;
import org.inferometer.ui.fx.Settings;
import org.jspecify.annotations.Nullable;

/// What is open: the view, the result, the designer's experiment and its machine, kept for the next start. Saved in the background.
///
/// @param settings has the view, the result and the machine
/// @param experiment YAML file of the designer's experiment
/// @param workspace whose session it is: another workspace restores nothing
record Session(Settings settings, Path experiment, Path workspace) {
    private static final System.Logger LOG = System.getLogger(Session.class.getName());
    private static final String WORKSPACE = "session-workspace";
    private static final String VIEW = "session-view";
    private static final String RESULT = "session-result";
    private static final String MACHINE = "session-machine";
    private static final String RUNNING = "session-running";

    /// What is open.
    ///
    /// @param result folder of the open result; null for none
    /// @param designed the designer's experiment; null while it has a fault
    /// @param machine where it runs, as `--on` takes it; empty for this machine
    record Open(NavigationRail.View view, @Nullable Path result, @Nullable ExperimentSpec designed, String machine) {}

    /// The session of a workspace, beside the settings.
    ///
    /// @param results folder of its results
    static Session of(Settings settings, Path results) {
        Path workspace = results.toAbsolutePath().normalize().resolveSibling("").normalize();
        return new Session(settings, settings.file().resolveSibling("session.yaml"), workspace);
    }

    /// What was open last in this workspace; empty at the first start.
    Optional<Open> last(SpecReader reader) {
        if (!settings.get(WORKSPACE).equals(Optional.of(workspace.toString()))) {
            return Optional.empty();
        }
        String view = settings.get(VIEW).orElse("");
        return Arrays.stream(NavigationRail.View.values()).filter(each -> each.name().equals(view)).findFirst()
                .map(each -> new Open(each, folder(), designed(reader), settings.get(MACHINE).orElse("")));
    }

    private @Nullable Path folder() {
        String result = settings.get(RESULT).orElse("");
        Path folder = workspace.resolve(result);
        return result.isEmpty() || !Files.isDirectory(folder) ? null : folder;
    }

    private @Nullable ExperimentSpec designed(SpecReader reader) {
        try {
            return Files.isRegularFile(experiment) ? reader.read(experiment) : null;
        } catch (PlanException e) {
            LOG.log(System.Logger.Level.INFO, "The designer's last experiment could not be read: " + experiment, e);
            return null;
        }
    }

    /// Whether the last session did not end by itself.
    boolean broke() {
        return settings.get(WORKSPACE).equals(Optional.of(workspace.toString()))
                && settings.get(RUNNING).equals(Optional.of("true"));
    }

    /// Saves what is open; a failure is logged.
    ///
    /// @param running whether the session goes on
    void save(Open open, boolean running) {
        settings.put(WORKSPACE, workspace.toString());
        settings.put(VIEW, open.view.name());
        settings.put(RESULT, open.result == null ? "" : open.result.toString());
        settings.put(MACHINE, open.machine);
        settings.put(RUNNING, Boolean.toString(running));
        settings.save();
        if (open.designed != null) {
            try {
                AtomicFile.write(experiment, SpecWriter.text(open.designed).getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                LOG.log(System.Logger.Level.INFO, "The designer's experiment could not be saved: " + experiment, e);
            }
        }
    }
}
