package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import org.inferometer.engine.DescriptorFile;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineDescriptor.EngineDefaults;
import org.inferometer.engine.EngineDescriptor.EngineText;
import org.inferometer.engine.ModelLayout;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.build.WeightsWriter.WeightValueException;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.FreeSpace;
import org.inferometer.engine.files.Sha256;
import org.inferometer.engine.files.SideFile;
import org.inferometer.finding.Advice;
import org.inferometer.units.FileFault;
import org.inferometer.units.QuantityText;
import org.inferometer.wording.AdvisedText;

/// Builds an engine from its recipe: makes synthetic weights from the seed, quantises, writes and hashes them.
///
/// The same recipe gives the same bytes on every machine. Thread-safe.
public final class EngineBuilder {
    private static final int MOST_THREADS = 8;
    // For engine.json and file system metadata.
    private static final long SPARE_BYTES = 1 << 20;

    private final FreeSpace freeSpace;
    private final int threads;
    private final Consumer<String> notes;

    /// A builder with one thread per core, at most eight.
    public EngineBuilder() {
        this(note -> {});
    }

    /// As the other.
    ///
    /// @param notes receives a sentence when a build finds an interrupted one
    public EngineBuilder(Consumer<String> notes) {
        this(FreeSpace.DISK, Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()), notes);
    }

    EngineBuilder(FreeSpace freeSpace, int threads) {
        this(freeSpace, threads, note -> {});
    }

    EngineBuilder(FreeSpace freeSpace, int threads, Consumer<String> notes) {
        this.freeSpace = freeSpace;
        this.threads = threads;
        this.notes = notes;
    }

    /// Exact bytes of the weights, known before the build. `engine.json` adds about 1 KiB.
    public long diskBytes(ModelShape shape, WeightFormats formats) {
        return StoredTensor.layout(StoredTensor.of(shape, formats)).fileBytes();
    }

    /// Builds into the entry's folder. The build is atomic: files are written to a hidden folder and renamed at the end.
    ///
    /// An interrupt stops the build and leaves the thread interrupted. What an interrupted, failed or killed build completed is kept in the
    /// hidden folder; the next build of the same weights in the same formats goes on with it.
    ///
    /// @param progress receives the fraction done, from 0 to 1, on the calling thread
    /// @throws EngineFormatException if the entry has no usable recipe, the folder cannot be written, the disk is full,
    ///     another build of the engine is running, or the build was interrupted
    public EngineDescriptor build(EngineEntry entry, DoubleConsumer progress) throws EngineFormatException {
        return build(entry, EngineDefaults.NONE, progress);
    }

    /// As the other, with limits that experiments take by default.
    public EngineDescriptor build(EngineEntry entry, EngineDefaults defaults, DoubleConsumer progress)
            throws EngineFormatException {
        Recipe recipe = entry.recipe();
        if (recipe == null) {
            throw new EngineFormatException(entry.folder().resolve(RecipeReader.FILE),
                    "There is no usable recipe to build from.", "Add or correct the recipe.");
        }
        return build(entry.folder(), recipe.material(), defaults, progress);
    }

    /// As the others, from any material, into a folder with the engine's name, without limits of its own.
    public EngineDescriptor build(Path folder, EngineMaterial material, DoubleConsumer progress)
            throws EngineFormatException {
        return build(folder, material, EngineDefaults.NONE, progress);
    }

    /// As the others, from any material, into a folder with the engine's name.
    ///
    /// @throws EngineFormatException also if the defaults are longer than the model's positions
    public EngineDescriptor build(Path folder, EngineMaterial material, EngineDefaults defaults,
            DoubleConsumer progress) throws EngineFormatException {
        if (defaults.maxLength() > material.shape().maxPositions()) {
            throw new EngineFormatException(folder, "The model has " + material.shape().maxPositions()
                    + " positions, fewer than " + defaults.maxLength() + ".", "Give a smaller --max-length.");
        }
        EngineReplacement.finish(folder);
        try {
            try (BuildFolder aside = BuildFolder.claim(folder)) {
                return build(folder, material, defaults, aside, progress);
            }
        } catch (IOException failed) {
            throw notWritten(folder, material, failed, "its files were removed", false);
        }
    }

    private EngineDescriptor build(Path folder, EngineMaterial material, EngineDefaults defaults, BuildFolder aside,
            DoubleConsumer progress) throws IOException, EngineFormatException {
        WeightsPlan plan = WeightsPlan.of(StoredTensor.of(material.shape(), material.formats()));
        WeightsWriter writer = new WeightsWriter(plan, material.source(), threads);
        try (BuildJournal journal = BuildJournal.open(aside, key(material), plan.writtenBytes(), notes)) {
            try {
                checkSpace(folder, aside.path(), diskBytes(material.shape(), material.formats()) - journal.keptBytes());
                EngineDescriptor descriptor =
                        write(folder, material, defaults, aside.path(), writer, journal, progress);
                EngineReplacement.replace(aside.path(), folder);
                progress.accept(1);
                return descriptor;
            } catch (InterruptedException | ClosedByInterruptException interrupted) {
                Thread.currentThread().interrupt();
                throw new EngineFormatException(folder,
                        goingOn("The build was interrupted; " + kept(aside, journal) + ".", isKept(aside, journal),
                                " Build it again."),
                        interrupted);
            } catch (WeightValueException wrong) {
                throw new EngineFormatException(folder, wrong.getMessage() + "; the build's files were removed.",
                        "Give other weights.", wrong);
            } catch (EngineFormatException noSpace) {
                kept(aside, journal);
                throw noSpace;
            } catch (IOException failed) {
                throw notWritten(folder, material, failed, kept(aside, journal), isKept(aside, journal));
            }
        }
    }

    /// Names what the next build can go on with, and keeps it.
    private static String kept(BuildFolder aside, BuildJournal journal) {
        if (!isKept(aside, journal)) {
            return "its files were removed";
        }
        aside.keep();
        return QuantityText.bytes(journal.keptBytes()) + " are kept in " + aside.path().getFileName();
    }

    /// Not if somebody has deleted the folder.
    private static boolean isKept(BuildFolder aside, BuildJournal journal) {
        return journal.keptBytes() > 0 && Files.exists(aside.path().resolve(DescriptorFile.WEIGHTS));
    }

    private EngineFormatException notWritten(Path folder, EngineMaterial material, IOException failed, String kept,
            boolean isKept) {
        String fault = "The engine could not be written (" + FileFault.describe(failed) + "); " + kept
                + ". Check that the folder is writable and that its disk has "
                + QuantityText.bytes(diskBytes(material.shape(), material.formats())) + " free.";
        return new EngineFormatException(folder, goingOn(fault, isKept, ""), failed);
    }

    /// @param otherwise follows the fault where nothing is kept
    private static AdvisedText goingOn(String fault, boolean isKept, String otherwise) {
        return isKept
                ? new AdvisedText(fault + " Build it again to go on, or delete them ", Advice.Action.DELETE_KEPT, ".")
                : AdvisedText.plain(fault + otherwise);
    }

    /// What decides the bytes of the weights; empty if a build of them cannot go on.
    private static String key(EngineMaterial material) throws IOException {
        Optional<String> weights = material.source().fingerprint();
        if (weights.isEmpty()) {
            return "";
        }
        MessageDigest digest = Sha256.digest();
        digest.update(StoredTensor.layout(StoredTensor.of(material.shape(), material.formats())).prefix());
        return HexFormat.of().formatHex(digest.digest(weights.get().getBytes(StandardCharsets.UTF_8)));
    }

    private void checkSpace(Path folder, Path aside, long neededBytes) throws IOException, EngineFormatException {
        long free = freeSpace.bytes(aside);
        if (free < neededBytes + SPARE_BYTES) {
            throw new EngineFormatException(folder,
                    folder.getFileName() + " needs " + QuantityText.bytes(neededBytes) + ", the disk has "
                            + QuantityText.bytes(free) + " free.",
                    "Free some space, or choose a smaller model or precision.");
        }
    }

    private EngineDescriptor write(Path folder, EngineMaterial material, EngineDefaults defaults, Path aside,
            WeightsWriter writer, BuildJournal journal, DoubleConsumer progress)
            throws IOException, InterruptedException {
        ModelShape shape = material.shape();
        Path weights = aside.resolve(DescriptorFile.WEIGHTS);
        Map<String, byte[]> files = new TreeMap<>(material.files());
        String sha256 = writtenAndHashed(writer, journal, material.source(), weights, files, progress);
        EngineDescriptor descriptor = new EngineDescriptor(DescriptorFile.version(shape, material.formats()),
                String.valueOf(folder.getFileName()), material.model(), shape, material.formats(),
                material.source().origin(), material.text(), defaults, ModelLayout.parameters(shape),
                Files.size(weights), sha256);
        for (String further : EngineReplacement.FURTHER) {
            byte[] content = files.get(further);
            if (content != null) {
                Files.write(aside.resolve(further), content);
            }
        }
        Files.write(aside.resolve(DescriptorFile.FILE), DescriptorFile.bytes(descriptor));
        return descriptor;
    }

    /// Writes the weights while another thread hashes the files that they are read from.
    private static String writtenAndHashed(WeightsWriter writer, BuildJournal journal, WeightSource source,
            Path weights, Map<String, byte[]> files, DoubleConsumer progress) throws IOException, InterruptedException {
        try (ExecutorService beside =
                Executors.newSingleThreadExecutor(Thread.ofPlatform().name("engine-sources").daemon().factory())) {
            try {
                Future<Optional<WeightSources>> sources = beside.submit(source::sources);
                String sha256 = writer.write(weights, journal, progress);
                sources.get().ifPresent(read -> files.put(WeightSources.FILE.name(), SideFile.bytes(read)));
                return sha256;
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof IOException unreadable ? unreadable
                        : new IOException("the checkpoint's files could not be hashed: " + failed.getCause(), failed);
            } finally {
                beside.shutdownNow();
            }
        }
    }

    /// What an engine is built from: a shape, number formats, the weights before quantisation, and the text of its tokens.
    ///
    /// @param model name without the precision: "tiny"
    /// @param files further files of the engine's folder by name: `tokenizer.json`, `chat.json`
    public record EngineMaterial(String model, ModelShape shape, WeightFormats formats, WeightSource source,
            EngineText text, Map<String, byte[]> files) {}
}
