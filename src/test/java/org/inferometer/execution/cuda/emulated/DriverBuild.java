package org.inferometer.execution.cuda.emulated;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/// Builds the emulated driver from src/test/cuda and the kernels of src/main/cuda, once for each state of the sources.
///
/// Processes that build at the same time wait for each other. What was built stays under target/emulated-cuda.
final class DriverBuild {
    private static final Path DRIVER_SOURCES = Path.of("src", "test", "cuda");
    private static final Path KERNEL_SOURCES = Path.of("src", "main", "cuda");
    private static final Path BUILT = Path.of("target", "emulated-cuda");
    private static final List<String> FLAGS =
            List.of("-std=c++20", "-g1", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror=return-type");
    private static final int PARALLEL = 2;

    private static final class Tried {
        private static final String OBSTACLE = tried();
    }

    private DriverBuild() {}

    /// Why no driver can be built here, or nothing.
    static String obstacle() {
        return Tried.OBSTACLE;
    }

    private static String tried() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch", "");
        if (!system.contains("linux") || !processor.equals("amd64")) {
            return "the emulated CUDA driver is for Linux on x86-64";
        }
        try {
            return run(List.of(compiler(), "-std=c++20", "-x", "c++", "-fsyntax-only", "/dev/null")).isEmpty() ? ""
                    : "the C++ compiler " + compiler() + " knows no C++20";
        } catch (IOException e) {
            return "there is no C++ compiler (" + compiler() + ") at hand to build the emulated CUDA driver with";
        }
    }

    /// The folder with libcuda.so.1, which is built if it is not there yet.
    ///
    /// @throws UncheckedIOException when the compiler does not take the sources; its messages are in the exception
    static Path folder() {
        try {
            Path folder = BUILT.resolve(hashOf(List.of(DRIVER_SOURCES, KERNEL_SOURCES))).toAbsolutePath();
            Path library = folder.resolve("libcuda.so.1");
            Files.createDirectories(BUILT);
            try (FileChannel lock =
                    FileChannel.open(BUILT.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var held = lock.lock()) {
                if (held.isValid() && !Files.exists(library)) {
                    build(folder, library);
                }
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void build(Path folder, Path library) throws IOException {
        Files.createDirectories(folder);
        List<Callable<Path>> steps = new ArrayList<>();
        String driver = hashOf(List.of(DRIVER_SOURCES));
        // Whole steps of the emulated device take their time in these, so they are worth optimising.
        steps.add(() -> compiled(DRIVER_SOURCES.resolve("emulated_block.cpp"), driver, "-O2", "-march=native"));
        steps.add(() -> compiled(DRIVER_SOURCES.resolve("emulated_device.cpp"), driver, "-O2", "-march=native"));
        steps.add(() -> compiled(DRIVER_SOURCES.resolve("emulated_warpgroup.cpp"), driver, "-O2", "-march=native"));
        steps.add(() -> compiled(DRIVER_SOURCES.resolve("libcuda.cpp"), driver, "-O1"));
        steps.add(() -> compiled(DRIVER_SOURCES.resolve("probe_kernels.cu"), driver, "-O1"));
        if (Files.exists(KERNEL_SOURCES.resolve("module.cu"))) {
            String kernels = hashOf(List.of(DRIVER_SOURCES, KERNEL_SOURCES));
            steps.addFirst(() -> compiled(KERNEL_SOURCES.resolve("module.cu"), kernels, "-O2", "-march=native"));
            steps.add(() -> compiled(KERNEL_SOURCES.resolve("wgmma.cu"), kernels, "-O2", "-march=native"));
        }
        Path linked = folder.resolve("linking");
        List<String> link = new ArrayList<>(List.of(compiler(), "-shared", "-Wl,-soname,libcuda.so.1",
                "-Wl,--version-script=" + DRIVER_SOURCES.resolve("libcuda.map"), "-o", linked.toString()));
        try (ExecutorService pool = Executors.newFixedThreadPool(PARALLEL)) {
            for (Future<Path> object : pool.invokeAll(steps)) {
                link.add(object.get().toString());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Building the emulated CUDA driver was interrupted.", e);
        } catch (ExecutionException e) {
            throw new IOException("The emulated CUDA driver could not be built.", e.getCause());
        }
        link.addAll(List.of("-lpthread", "-ldl"));
        require(link);
        buildCublasLt(folder, linked, driver);
        Files.move(linked, library, StandardCopyOption.ATOMIC_MOVE);
    }

    /// The stand-in for cuBLASLt, in a folder of its own, so that who looks for the driver does not find it.
    static Path cublasLt(Path folder) {
        return folder.resolve("cublaslt").resolve("libcublasLt.so.13");
    }

    /// @param driver the emulated driver, which it calls
    private static void buildCublasLt(Path folder, Path driver, String state) throws IOException {
        Path library = cublasLt(folder);
        Files.createDirectories(library.getParent());
        Path object = compiled(DRIVER_SOURCES.resolve("libcublaslt.cpp"), state, "-O2", "-march=native");
        require(List.of(compiler(), "-shared", "-Wl,-soname,libcublasLt.so.13", "-o", library.toString(),
                object.toString(), driver.toString()));
    }

    /// An object file, which is kept for as long as nothing it is made of changes.
    private static Path compiled(Path source, String state, String... optimisation) throws IOException {
        Path objects = Files.createDirectories(BUILT.resolve("objects"));
        Path object = objects.resolve(source.getFileName() + "-" + state + ".o");
        if (!Files.exists(object)) {
            Path compiling = objects.resolve(object.getFileName() + ".compiling");
            List<String> command = new ArrayList<>(List.of(compiler()));
            command.addAll(FLAGS);
            command.addAll(List.of(optimisation));
            command.addAll(List.of("-I", DRIVER_SOURCES.toString(), "-I", KERNEL_SOURCES.toString()));
            command.addAll(List.of("-x", "c++", "-c", source.toString(), "-o", compiling.toString()));
            require(command);
            Files.move(compiling, object, StandardCopyOption.ATOMIC_MOVE);
        }
        return object;
    }

    private static void require(List<String> command) throws IOException {
        String complaint = run(command);
        if (!complaint.isEmpty()) {
            throw new IOException(String.join(" ", command) + " failed:\n" + complaint);
        }
    }

    /// What the command printed where it failed, else nothing.
    private static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        try {
            return process.waitFor() == 0 ? "" : "exit status " + process.exitValue() + "\n" + printed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for " + command.getFirst() + ".", e);
        }
    }

    private static String compiler() {
        String chosen = System.getenv("CXX");
        return chosen == null || chosen.isBlank() ? "g++" : chosen;
    }

    private static String hashOf(List<Path> folders) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((compiler() + FLAGS).getBytes(java.nio.charset.StandardCharsets.UTF_8));
            for (Path folder : folders) {
                for (Path file : filesOf(folder)) {
                    digest.update(file.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
                    digest.update(Files.readAllBytes(file));
                }
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Path> filesOf(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(Files::isRegularFile).sorted(Comparator.naturalOrder()).toList();
        }
    }
}
