package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;
import org.inferometer.engine.CalibrationFile;
import org.inferometer.engine.ChatFile;
import org.inferometer.engine.DescriptorFile;
import org.inferometer.engine.EngineDefaults;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.FreeSpace;
import org.inferometer.engine.ModelLayout;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.SourcesFile;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.tokenizer.TrainedTokenizer;
import org.inferometer.units.FileFault;
import org.inferometer.units.QuantityText;

/// Builds an engine from its recipe: makes synthetic weights from the seed, quantises, writes and hashes them.
///
/// The same recipe gives the same bytes on every machine. Thread-safe.
public final class EngineBuilder {
    private static final int MOST_THREADS = 8;
    // For engine.json and file system metadata.
    private static final long SPARE_BYTES = 1 << 20;

    /// Files that an engine of a checkpoint can have beside its weights.
    private static final List<String> FURTHER =
            List.of(TrainedTokenizer.FILE, ChatFile.FILE, CalibrationFile.FILE, SourcesFile.FILE);

    private final FreeSpace freeSpace;
    private final int threads;

    /// A builder with one thread per core, at most eight.
    public EngineBuilder() {
        this(FreeSpace.DISK, Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()));
    }

    EngineBuilder(FreeSpace freeSpace, int threads) {
        this.freeSpace = freeSpace;
        this.threads = threads;
    }

    /// Exact bytes of the weights, known before the build. `engine.json` adds about 1 KiB.
    public long diskBytes(ModelShape shape, WeightFormats formats) {
        return StoredTensor.layout(StoredTensor.of(shape, formats)).fileBytes();
    }

    /// Builds into the entry's folder. The build is atomic: files are written to a temporary folder and renamed at the
    /// end. An interrupt stops the build, removes its files and leaves the thread interrupted.
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
        long diskBytes = diskBytes(material.shape(), material.formats());
        try {
            Files.createDirectories(folder);
            checkSpace(folder, diskBytes);
            try (BuildFolder aside = BuildFolder.claim(folder)) {
                EngineDescriptor descriptor = write(folder, material, defaults, aside.path(), progress);
                replace(aside.path(), folder);
                progress.accept(1);
                return descriptor;
            }
        } catch (InterruptedException | ClosedByInterruptException interrupted) {
            Thread.currentThread().interrupt();
            throw new EngineFormatException(folder, "The build was interrupted; its files were removed.",
                    "Build it again.", interrupted);
        } catch (WeightValueException wrong) {
            throw new EngineFormatException(folder, wrong.getMessage() + "; the build's files were removed.",
                    "Give other weights.", wrong);
        } catch (IOException failed) {
            throw new EngineFormatException(folder,
                    "The engine could not be written (" + FileFault.describe(failed) + "); its files were removed.",
                    "Check that the folder is writable and that its disk has " + QuantityText.bytes(diskBytes)
                            + " free.",
                    failed);
        }
    }

    private void checkSpace(Path folder, long neededBytes) throws IOException, EngineFormatException {
        long free = freeSpace.bytes(folder);
        if (free < neededBytes + SPARE_BYTES) {
            throw new EngineFormatException(folder,
                    folder.getFileName() + " needs " + QuantityText.bytes(neededBytes) + ", the disk has "
                            + QuantityText.bytes(free) + " free.",
                    "Free some space, or choose a smaller model or precision.");
        }
    }

    private EngineDescriptor write(Path folder, EngineMaterial material, EngineDefaults defaults, Path aside,
            DoubleConsumer progress) throws IOException, InterruptedException {
        ModelShape shape = material.shape();
        List<StoredTensor> tensors = StoredTensor.of(shape, material.formats());
        Path weights = aside.resolve(DescriptorFile.WEIGHTS);
        Map<String, byte[]> files = new TreeMap<>(material.files());
        String sha256 = writtenAndHashed(tensors, material.source(), weights, files, progress);
        EngineDescriptor descriptor =
                new EngineDescriptor(DescriptorFile.FORMAT_VERSION, String.valueOf(folder.getFileName()),
                        material.model(), shape, material.formats(), material.source().origin(), material.text(),
                        defaults, ModelLayout.parameters(shape), Files.size(weights), sha256);
        for (String further : FURTHER) {
            byte[] content = files.get(further);
            if (content != null) {
                Files.write(aside.resolve(further), content);
            }
        }
        Files.write(aside.resolve(DescriptorFile.FILE), DescriptorFile.bytes(descriptor));
        return descriptor;
    }

    /// Writes the weights while another thread hashes the files that they are read from.
    private String writtenAndHashed(List<StoredTensor> tensors, WeightSource source, Path weights,
            Map<String, byte[]> files, DoubleConsumer progress) throws IOException, InterruptedException {
        try (ExecutorService beside =
                Executors.newSingleThreadExecutor(Thread.ofPlatform().name("engine-sources").daemon().factory())) {
            try {
                Future<Optional<WeightSources>> sources = beside.submit(source::sources);
                String sha256 = new WeightsWriter(tensors, source, threads).write(weights, progress);
                sources.get().ifPresent(read -> files.put(SourcesFile.FILE, SourcesFile.bytes(read)));
                return sha256;
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof IOException unreadable ? unreadable
                        : new IOException("the checkpoint's files could not be hashed: " + failed.getCause(), failed);
            } finally {
                beside.shutdownNow();
            }
        }
    }

    /// An engine exists if `engine.json` does: it is removed first and written last. Files derived from the old weights
    /// are removed.
    private static void replace(Path from, Path to) throws IOException {
        Files.deleteIfExists(to.resolve(DescriptorFile.FILE));
        try (DirectoryStream<Path> packed = Files.newDirectoryStream(to, "*" + DescriptorFile.PACKED_SUFFIX)) {
            for (Path derived : packed) {
                if (Files.isRegularFile(derived, LinkOption.NOFOLLOW_LINKS)) {
                    Files.delete(derived);
                }
            }
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        for (String further : FURTHER) {
            Files.deleteIfExists(to.resolve(further));
            if (Files.exists(from.resolve(further))) {
                move(from.resolve(further), to.resolve(further));
            }
        }
        move(from.resolve(DescriptorFile.WEIGHTS), to.resolve(DescriptorFile.WEIGHTS));
        move(from.resolve(DescriptorFile.FILE), to.resolve(DescriptorFile.FILE));
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException otherDisk) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
