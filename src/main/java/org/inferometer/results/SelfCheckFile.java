package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.record.SelfCheckStore;
import org.inferometer.units.FileFault;

/// The last self-check of a workspace: `selfcheck.json` beside the results, replaced atomically.
public final class SelfCheckFile implements SelfCheckStore {
    /// Its name.
    public static final String NAME = "selfcheck.json";

    private static final int FORMAT_VERSION = 1;
    private final Path file;

    /// @param results the folder of the workspace's results
    public SelfCheckFile(Path results) {
        this.file = results.resolve(NAME);
    }

    @Override
    public void save(Instant measuredWall, MachineDescription machine, List<SelfCheckResult> results)
            throws IOException {
        AtomicFile.write(file, ManifestJson.bytes(new Kept(FORMAT_VERSION, measuredWall, machine, results)));
    }

    @Override
    public Optional<Kept> last() {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(ManifestJson.read(file, Kept.class, FORMAT_VERSION));
        } catch (IOException e) {
            // A run must not fail because of it: a self-check can be repeated.
            System.getLogger(SelfCheckFile.class.getName()).log(System.Logger.Level.WARNING,
                    "The last self-check cannot be read: {0}", FileFault.describe(file, e));
            return Optional.empty();
        }
    }
}
