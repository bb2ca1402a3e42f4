package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.results.bundle.BundleManifest;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.units.Clock;

/// Saves what the window shows as a bundle, and says what a bundle shows. Belongs to the UI thread.
public record ResultBundles(ResultTools tools, BackgroundWork work, Notifier notifier, Clock clock) {
    /// How a bundle is written.
    ///
    /// @param safe without host, user, paths, prompts and answers
    public record Wish(boolean safe, String notes) {
        /// Share-safe, without notes.
        public static final Wish USUAL = new Wish(true, "");
    }

    /// Writes a bundle in the background; says what was removed.
    ///
    /// @param done called when it is written
    public void save(ShownResults shown, Wish wish, Path file, Runnable done) {
        work.run(WindowWork.BUNDLE, () -> write(shown, wish, file), written -> {
            notifier.done(written.removed().isEmpty() ? text("bundle.saved", file.getFileName())
                    : text("bundle.saved-without", file.getFileName(), String.join(", ", written.removed())));
            done.run();
        }, failure -> notifier.problem(text("notice.not-saved", file, ErrorText.sentence(failure))));
    }

    private BundleManifest write(ShownResults shown, Wish wish, Path file) throws IOException {
        List<ExperimentRecord> records = new ArrayList<>();
        for (Path folder : shown.folders()) {
            records.add(tools.open(folder));
        }
        BundleWriter writer =
                new BundleWriter(tools.version(), wish.safe() ? Optional.of(tools.safe()) : Optional.empty());
        List<String> names = writer.folders(shown.folders());
        Map<Path, String> byFolder = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            byFolder.put(shown.folders().get(i), names.get(i));
        }
        return writer.write(new BundleWriter.Contents(records,
                shown.written(folder -> Objects.requireNonNull(byFolder.get(folder))), wish.notes(),
                tools.reports().of(records, ReportOutline.USUAL).bytes(ReportFormat.HTML)), clock.wall(), file);
    }

    /// What an unpacked bundle showed when it was saved, or its first result; says what is in the list.
    public ShownResults shown(BundleReader.Unpacked bundle) {
        int known = bundle.known().size();
        String notes = bundle.manifest().notes();
        if (known == bundle.folders().size()) {
            notifier.done(counted("bundle.known", known));
        } else if (notes.isEmpty()) {
            notifier.done(text("bundle.opened", bundle.folders().size()));
        }
        if (!notes.isEmpty()) {
            notifier.done(text("bundle.notes", notes));
        }
        ShownResults shown =
                ShownResults.of(bundle.manifest().view(), name -> Optional.ofNullable(bundle.folders().get(name)));
        return !shown.folders().isEmpty() ? shown
                : new ShownResults(
                        Optional.of(bundle.folders().values().iterator().next().toAbsolutePath().normalize()),
                        List.of(), false, shown.timeline(), shown.look());
    }
}
