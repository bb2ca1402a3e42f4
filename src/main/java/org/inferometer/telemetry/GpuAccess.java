package org.inferometer.telemetry;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// The way to this machine's NVIDIA GPUs: the driver's management library or, where that cannot be used, its tool nvidia-smi.
///
/// Every question is asked anew; any thread may ask. Takes milliseconds through the library and up to seconds through the tool.
public final class GpuAccess {
    private static final long SMI_LIMIT_MILLIS = 5_000;
    private static final int MOST_DEVICE_FILES = 64;
    private static final String SMI = "nvidia-smi";

    private final List<String> libraries;
    private final @Nullable SmiCommand smi;
    private final Path root;
    private final Clock clock;

    /// The usual places of this system.
    ///
    /// @param clock tells how old a reading of nvidia-smi is
    public GpuAccess(Clock clock) {
        this(NvmlLibrary.defaultNames(), usualTool(), Path.of("/"), clock);
    }

    /// Libraries of one's own and no tool.
    ///
    /// @param libraries names or paths, tried in this order
    public GpuAccess(List<String> libraries, Clock clock) {
        this(libraries, null, Path.of("/"), clock);
    }

    /// @param smi null where nvidia-smi was not found
    /// @param root holds "dev" and "proc"
    GpuAccess(List<String> libraries, @Nullable SmiCommand smi, Path root, Clock clock) {
        this.libraries = List.copyOf(libraries);
        this.smi = smi;
        this.root = root;
        this.clock = clock;
    }

    private static @Nullable SmiCommand usualTool() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        boolean windows = System.getProperty("os.name", "").startsWith("Windows");
        return SmiCommand.find(path, windows).map(file -> new SmiCommand(file, SMI_LIMIT_MILLIS)).orElse(null);
    }

    /// Which GPUs there are and through what they are read, or what was tried.
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
            tried.add(new GpuAttempt(nvml.name(), "works, but knows of no GPU that this process may use"));
        } catch (GpuException unusable) {
            tried.addAll(unusable.attempts());
        }
        try {
            List<Map<String, String>> rows = cards();
            if (!rows.isEmpty()) {
                return found(rows.stream().map(SmiFields::description).toList(),
                        rows.getFirst().getOrDefault("driver_version", ""), "", SMI);
            }
            tried.add(new GpuAttempt(SMI, "works, but knows of no GPU"));
        } catch (GpuException unusable) {
            tried.add(new GpuAttempt(SMI, unusable.sentence()));
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
        List<Map<String, String>> rows = null;
        for (GpuDescription gpu : report.gpus()) {
            try {
                opened.add(NvmlMonitor.open(libraries, gpu.index()));
            } catch (GpuException unusable) {
                // The tool takes a second to answer, so it is asked once for all.
                rows = rows == null ? cardsOrNone() : rows;
                throughTool(rows, row -> SmiFields.index(row) == gpu.index()).ifPresent(opened::add);
            }
        }
        return List.copyOf(opened);
    }

    /// Opens a GPU by its number in the driver's order; the caller closes it.
    ///
    /// @throws GpuException when there is no driver or no such GPU
    public GpuMonitor open(int index) throws GpuException {
        try {
            return NvmlMonitor.open(libraries, index);
        } catch (GpuException unusable) {
            return throughTool(cardsOrNone(), row -> SmiFields.index(row) == index).orElseThrow(() -> unusable);
        }
    }

    /// Opens the GPU with a UUID, as "GPU-...", such as an executor says it computes on; the caller closes it.
    ///
    /// @throws GpuException when there is no driver or no such GPU
    public GpuMonitor open(String uuid) throws GpuException {
        try {
            return NvmlMonitor.open(libraries, uuid);
        } catch (GpuException unusable) {
            return throughTool(cardsOrNone(), row -> row.getOrDefault("uuid", "").equalsIgnoreCase(uuid))
                    .orElseThrow(() -> unusable);
        }
    }

    private Optional<GpuMonitor> throughTool(List<Map<String, String>> rows, Predicate<Map<String, String>> wanted) {
        SmiCommand tool = smi;
        Optional<Map<String, String>> row = rows.stream().filter(wanted).findFirst();
        if (tool == null || row.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(SmiMonitor.open(tool, row.get(), clock));
        } catch (GpuException silent) {
            return Optional.empty();
        }
    }

    private List<Map<String, String>> cardsOrNone() {
        try {
            return cards();
        } catch (GpuException unusable) {
            return List.of();
        }
    }

    private List<Map<String, String>> cards() throws GpuException {
        if (smi == null) {
            throw new GpuException("not found on the PATH");
        }
        return smi.ask(SmiFields.QUERY_GPU, SmiFields.OF_A_CARD, null);
    }

    /// What the system itself shows of a driver and its devices.
    private List<GpuAttempt> system() {
        if (System.getProperty("os.name", "").startsWith("Windows")) {
            return List.of();
        }
        List<GpuAttempt> seen = new ArrayList<>();
        boolean loaded = Files.isReadable(root.resolve("proc/driver/nvidia/version"));
        seen.add(new GpuAttempt("kernel driver", loaded ? "loaded (/proc/driver/nvidia/version is there)"
                : "not loaded (/proc/driver/nvidia/version is not there)"));
        List<Path> files = deviceFiles();
        if (files.isEmpty()) {
            seen.add(new GpuAttempt("/dev/nvidia*", "no such files: no driver, or a container that was given no GPU"));
        }
        for (Path file : files) {
            boolean open = Files.isReadable(file) && Files.isWritable(file);
            seen.add(new GpuAttempt("/dev/" + file.getFileName(), open ? "can be opened by this user"
                    : "is there, but this user may not open it: ask for the group that owns it"));
        }
        return seen;
    }

    private List<Path> deviceFiles() {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(root.resolve("dev"), "nvidia*")) {
            for (Path file : found) {
                if (files.size() < MOST_DEVICE_FILES
                        && file.getFileName().toString().toLowerCase(Locale.ROOT).matches("nvidia(\\d+|ctl|-uvm)")) {
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
