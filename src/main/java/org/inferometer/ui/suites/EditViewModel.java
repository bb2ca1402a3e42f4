package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.SpecWriter;
import org.inferometer.results.AtomicFile;
import org.inferometer.suite.SuiteFile.ExperimentFile;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.units.PlainText;

/// Changes the files of a suite: by their text, or by an experiment of Bench. Belongs to the UI thread.
final class EditViewModel {
    private final BackgroundWork work;
    private final Notifier notices;
    private final Consumer<Path> written;
    private final Map<Path, Draft> drafts = new HashMap<>();

    /// A changed text.
    ///
    /// @param base the text that was changed
    private record Draft(String base, String text) {}

    /// @param written called with a file that was written
    EditViewModel(BackgroundWork work, Notifier notices, Consumer<Path> written) {
        this.work = work;
        this.notices = notices;
        this.written = written;
    }

    /// The text to show: a draft, or the file without characters that a screen cannot show.
    String shown(SuiteRow row) {
        Draft draft = drafts.get(row.file().file());
        return draft == null ? plain(row.content()) : draft.text;
    }

    private static String plain(String content) {
        String lines = content.lines().map(PlainText::of).collect(Collectors.joining("\n"));
        return content.endsWith("\n") ? lines + "\n" : lines;
    }

    /// Whether the shown text is the file's, so that nothing else would be written back.
    boolean isEditable(SuiteRow row) {
        return plain(row.content()).equals(row.content());
    }

    /// Keeps a changed text until it is saved or given up.
    void draft(SuiteRow row, String text) {
        Path file = row.file().file();
        Draft before = drafts.get(file);
        String base = before == null ? row.content() : before.base;
        if (text.equals(base)) {
            drafts.remove(file);
        } else {
            drafts.put(file, new Draft(base, text));
        }
    }

    /// Whether the file has a changed text.
    boolean isChanged(SuiteRow row) {
        return drafts.containsKey(row.file().file());
    }

    /// Gives the changed text up.
    void revert(SuiteRow row) {
        drafts.remove(row.file().file());
    }

    /// Saves the changed text.
    void save(SuiteRow row) {
        Draft draft = drafts.get(row.file().file());
        if (draft != null) {
            write(row.file().file(), draft.base, draft.text);
        }
    }

    /// Writes an experiment over that of a file, under the name that it has there.
    void replace(SuiteRow row, ExperimentSpec experiment) {
        ExperimentSpec named = row.file() instanceof ExperimentFile old && old.spec().isPresent()
                ? experiment.named(old.spec().get().name()) : experiment;
        write(row.file().file(), row.content(), SpecWriter.text(named));
    }

    /// A file that has changed meanwhile stays as it is.
    private void write(Path file, String base, String text) {
        work.run(WindowWork.OWN, () -> {
            if (!Arrays.equals(Files.readAllBytes(file), base.getBytes(StandardCharsets.UTF_8))) {
                throw new IOException(text("suites.changed-elsewhere", file));
            }
            AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8));
            return file;
        }, done -> {
            drafts.remove(done);
            written.accept(done);
        }, failure -> notices.problem(ErrorText.sentence(failure)));
    }

    /// Writes an experiment as a new file.
    ///
    /// @param folder the suite's
    void add(Path folder, ExperimentSpec experiment) {
        String stem = experiment.name().replaceAll("[^A-Za-z0-9._-]+", "-").replaceFirst("^[.-]+", "");
        String name = stem.isEmpty() ? "experiment" : stem;
        work.run(WindowWork.OWN, () -> {
            byte[] text = SpecWriter.text(experiment).getBytes(StandardCharsets.UTF_8);
            for (int i = 1;; i++) {
                Path file = folder.resolve((i == 1 ? name : name + "-" + i) + ".yaml");
                try {
                    Files.createFile(file);
                } catch (FileAlreadyExistsException e) {
                    continue;
                }
                AtomicFile.write(file, text);
                return file;
            }
        }, written, failure -> notices.problem(ErrorText.sentence(failure)));
    }
}
