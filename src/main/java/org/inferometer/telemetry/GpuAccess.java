package org.inferometer.telemetry;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.units.LetterCase;

/// Finds and opens this machine's NVIDIA GPUs through the driver's management library (NVML).
///
/// Nothing is cached. Safe to share between threads; a call takes milliseconds.
public final class GpuAccess {
    private static final int MOST_DEVICE_FILES = 64;

    private final List<String> libraries;
    private final Path root;

    /// The libraries in this system's usual places.
    public GpuAccess() {
        this(NvmlLibrary.defaultNames());
    }

    /// @param libraries names or paths, tried in this order
    public GpuAccess(List<String> libraries) {
        this(libraries, Path.of("/"));
    }

    /// @param root holds "dev" and "proc"
    GpuAccess(List<String> libraries, Path root) {
        this.libraries = List.copyOf(libraries);
        this.root = root;
    }

    /// The GPUs and the library that reads them, or the failed attempts.
    public GpuReport report() {
        List<GpuAttempt> tried = new ArrayList<>();
        try (NvmlLibrary nvml = NvmlLibrary.open(libraries)) {
            int count = NvmlCard.count(nvml);
            List<GpuDescription> gpus = new ArrayList<>();
            for (int index = 0; index < count; index++) {
                describe(nvml, index).ifPresent(gpus::add);
            }
            if (!gpus.isEmpty()) {
                return found(gpus, NvmlCard.driverVersion(nvml), NvmlCard.cudaVersion(nvml), nvml.name());
            }
            tried.add(new GpuAttempt(nvml.name(), "loaded, but lists no GPU for this process"));
        } catch (GpuException unusable) {
            tried.addAll(unusable.attempts());
        }
        String words = tried.stream().map(attempt -> attempt.what() + " (" + attempt.outcome() + ")")
                .collect(Collectors.joining(", "));
        tried.addAll(system());
        return GpuReport.none("No NVIDIA GPU can be read; tried " + words + ".", tried);
    }

    private static Optional<GpuDescription> describe(NvmlLibrary nvml, int index) {
        try (var scratch = java.lang.foreign.Arena.ofConfined()) {
            return Optional.of(NvmlCard.describe(nvml, NvmlCard.handle(nvml, scratch, index), index));
        } catch (GpuException lost) {
            // A card that has fallen off the bus does not hide the others.
            return Optional.empty();
        }
    }

    private static GpuReport found(List<GpuDescription> gpus, String driver, String cuda, String through) {
        String sentence = (gpus.size() == 1 ? "1 GPU" : gpus.size() + " GPUs") + " read through " + through
                + (driver.isEmpty() ? "." : ", driver " + driver + ".");
        return new GpuReport(gpus, driver, cuda, sentence, List.of());
    }

    /// Opens every GPU of a report that can be opened, in its order; the caller closes them.
    public List<GpuMonitor> openAll(GpuReport report) {
        List<GpuMonitor> opened = new ArrayList<>();
        for (GpuDescription gpu : report.gpus()) {
            try {
                opened.add(GpuMonitor.open(libraries, gpu.index()));
            } catch (GpuException lost) {
                // It was found a moment ago and is lost now; its description stays without readings.
            }
        }
        return List.copyOf(opened);
    }

    /// Opens a GPU by its number in the driver's order; the caller closes it.
    ///
    /// @throws GpuException if there is no driver or no such GPU
    public GpuMonitor open(int index) throws GpuException {
        return GpuMonitor.open(libraries, index);
    }

    /// Opens the GPU with a UUID ("GPU-..."); the caller closes it.
    ///
    /// @throws GpuException if there is no driver or no such GPU
    public GpuMonitor open(String uuid) throws GpuException {
        return GpuMonitor.open(libraries, uuid);
    }

    /// The state of the kernel driver and its device files.
    private List<GpuAttempt> system() {
        if (System.getProperty("os.name", "").startsWith("Windows")) {
            return List.of();
        }
        List<GpuAttempt> seen = new ArrayList<>();
        boolean loaded = Files.isReadable(root.resolve("proc/driver/nvidia/version"));
        seen.add(new GpuAttempt("kernel driver", loaded ? "loaded (/proc/driver/nvidia/version exists)"
                : "not loaded (/proc/driver/nvidia/version does not exist)"));
        List<Path> files = deviceFiles();
        if (files.isEmpty()) {
            seen.add(new GpuAttempt("/dev/nvidia*", "no such files: no driver, or a container without GPU access"));
        }
        for (Path file : files) {
            boolean open = Files.isReadable(file) && Files.isWritable(file);
            seen.add(new GpuAttempt("/dev/" + file.getFileName(),
                    open ? "can be opened by this user" : "no permission: join the group that owns it"));
        }
        return seen;
    }

    private List<Path> deviceFiles() {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(root.resolve("dev"), "nvidia*")) {
            for (Path file : found) {
                if (files.size() < MOST_DEVICE_FILES
                        && LetterCase.lower(file.getFileName().toString()).matches("nvidia(\\d+|ctl|-uvm)")) {
                    files.add(file);
                }
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException unreadable) {
            return List.of();
        }
        files.sort(null);
        return files;
    }
}
