package org.inferometer.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.inferometer.engine.tokenizer.PublishedTokenizer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process with planted files in every folder that libraries look at by themselves maps none of them.
@Timeout(120)
class PlantedLibrariesTest {
    /// Jars with native libraries, and whether the program loads them.
    private static final Map<String, Boolean> JARS = Map.of("dnnl", true, "javafx-graphics", true, "jcuda-natives",
            true, "jna-jpms", true, "tokenizers", true, "llama", false);
    private static final Pattern NATIVE = Pattern.compile(".*\\.(so(\\.\\d+)*|dll|dylib|jnilib)");
    /// Names without versions and endings.
    private static final Set<String> LOADED =
            Set.of("libJCudaDriver", "libdnnl", "libgomp", "libjnidispatch", "libtokenizers", "libprism_sw",
                    "libjavafx_font", "libjavafx_font_freetype", "libjavafx_font_pango", "libjavafx_iio");
    /// oneDNN is planted in part: 90 MB would take long to write.
    private static final int MOST_BYTES = 20 << 20;

    @TempDir
    Path folder;
    private Path temporary;
    private Path home;
    private Path current;
    private Path cache;
    /// By the names of files.
    private final Map<String, byte[]> packaged = new HashMap<>();

    @BeforeEach
    void readJars() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux") && System.getProperty("os.arch").equals("amd64"),
                "The maps of a process are read on Linux.");
        temporary = Files.createDirectory(folder.resolve("tmp"));
        home = Files.createDirectory(folder.resolve("home"));
        current = Files.createDirectory(folder.resolve("current"));
        // Not by the process's mask: a folder that a group can write is not used.
        cache = Files.createTempDirectory(folder, "cache");
        for (Path jar : jars()) {
            try (JarFile file = new JarFile(jar.toFile())) {
                for (JarEntry entry : natives(file)) {
                    if (!entry.getName().contains("/") || entry.getName().matches("lib/[^/]*|.*linux-x86[-_]64/.*")) {
                        try (InputStream content = file.getInputStream(entry)) {
                            packaged.put(Path.of(entry.getName()).getFileName().toString(), content.readAllBytes());
                        }
                    }
                }
            }
        }
    }

    private static List<JarEntry> natives(JarFile jar) {
        return jar.stream().filter(entry -> NATIVE.matcher(entry.getName()).matches()).toList();
    }

    /// Of the program; those of tests are left out.
    private static List<Path> jars() throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (path.endsWith(".jar") && JARS.getOrDefault(library(path), true)) {
                jars.add(Path.of(path));
            }
        }
        return jars;
    }

    private static String library(String jar) {
        return Path.of(jar).getFileName().toString().replaceFirst("-\\d.*", "");
    }

    @Test
    void everyJarWithNativeLibrariesIsKnown() throws IOException {
        Set<String> found = new TreeSet<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (path.endsWith(".jar")) {
                try (JarFile jar = new JarFile(path)) {
                    if (!natives(jar).isEmpty()) {
                        found.add(library(path));
                    }
                }
            }
        }
        assertThat(found).isEqualTo(JARS.keySet());
    }

    @Test
    void noPlantedLibraryIsMapped() throws IOException, InterruptedException {
        Path planted = Files.createDirectory(folder.resolve("planted"));
        for (Map.Entry<String, byte[]> each : packaged.entrySet()) {
            byte[] content = Arrays.copyOf(each.getValue(), Math.min(each.getValue().length, MOST_BYTES) + 1);
            Path file = Files.write(planted.resolve(each.getKey()), content);
            for (Path place : places()) {
                link(file, place.resolve(each.getKey()));
            }
        }
        // Half-written files in the folder of the program itself; the first process learns their places.
        requireOnlyOwn(mapped());
        try (Stream<Path> files = Files.walk(cache.resolve("inferometer/native"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.write(file, Arrays.copyOf(packaged.get(file.getFileName().toString()), 5000));
            }
        }
        requireOnlyOwn(mapped());
    }

    @Test
    void aLibraryBesideTheJarOfJavaFxStopsTheWindow() throws IOException, InterruptedException {
        Path beside = Files.createDirectory(folder.resolve("lib"));
        Path planted = Files.write(beside.resolve("libprism_sw.so"), new byte[]{1});
        List<String> entries = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path entry = Path.of(path).toAbsolutePath();
            entries.add((library(path).equals("javafx-graphics")
                    ? Files.copy(entry, beside.resolve(entry.getFileName())) : entry).toString());
        }
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-Dglass.platform=Headless", "-Dprism.order=sw",
                "-Djava.io.tmpdir=" + temporary, "-Duser.home=" + home, "-cp", String.join(File.pathSeparator, entries),
                "org.inferometer.app.Main", "--workspace", current.toString());
        builder.redirectErrorStream(true).environment().putAll(Map.of("HOME", home.toString(), "XDG_CACHE_HOME",
                cache.toString(), "XDG_CONFIG_HOME", home.toString()));
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(printed).endsWith("error: The window cannot be opened: " + planted
                + ": JavaFX would load this library that is not of its jar; delete it.\n");
        assertThat(process.waitFor()).isEqualTo(3);
    }

    private static void link(Path file, Path place) throws IOException {
        Files.createDirectories(place.getParent());
        try {
            Files.createLink(place, file);
        } catch (FileAlreadyExistsException twice) {
            // Two libraries have a file of this name.
        }
    }

    /// Where the libraries' own loaders look: JCuda, Hugging Face's tokenizers, JNA, JavaFX, System.loadLibrary.
    private List<Path> places() throws IOException {
        String tokenizers =
                ".djl.ai/tokenizers/" + property("native/lib/tokenizers.properties", "version") + "-cpu-linux-x86_64";
        String javafx = "cache/" + property("javafx.properties", "javafx.runtime.version") + "/amd64";
        return List.of(temporary, current, home, cache, home.resolve(tokenizers), temporary.resolve(tokenizers),
                home.resolve(".cache/JNA/temp"), cache.resolve("JNA/temp"), home.resolve(".openjfx").resolve(javafx),
                temporary.resolve(".openjfx_" + System.getProperty("user.name")).resolve(javafx));
    }

    private static String property(String resource, String name) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Objects.requireNonNull(PlantedLibrariesTest.class.getResourceAsStream("/" + resource))) {
            properties.load(in);
        }
        return Objects.requireNonNull(properties.getProperty(name));
    }

    /// What a process maps of the folders that it can write.
    private List<Path> mapped() throws IOException, InterruptedException {
        PublishedTokenizer tokenizer = new PublishedTokenizer();
        Path json = Files.writeString(folder.resolve("tokenizer.json"), tokenizer.json());
        Path picture = folder.resolve("picture.jpg");
        ImageIO.write(new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB), "jpg", picture.toFile());
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow", "-Dglass.platform=Headless", "-Dprism.order=sw",
                "-Djava.io.tmpdir=" + temporary, "-Duser.home=" + home, "-cp",
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(path -> Path.of(path).toAbsolutePath().toString())
                        .collect(Collectors.joining(File.pathSeparator)),
                LibraryProcess.class.getName(), json.toString(), Integer.toString(tokenizer.size()),
                picture.toString());
        builder.directory(current.toFile()).redirectError(folder.resolve("errors").toFile());
        builder.environment().putAll(Map.of("HOME", home.toString(), "TMPDIR", temporary.toString(), "XDG_CACHE_HOME",
                cache.toString(), "LD_LIBRARY_PATH", driver().toString()));
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(Files.readString(folder.resolve("errors"))).isZero();
        return printed.lines().map(Path::of).filter(file -> file.startsWith(folder) && !file.startsWith(driver()))
                .toList();
    }

    private Path driver() {
        return folder.resolve("driver");
    }

    /// JCuda needs a CUDA driver to load: some library of the system stands in for it.
    @BeforeEach
    void standInForTheDriver() throws IOException {
        Path library = Files.readAllLines(Path.of("/proc/self/maps")).stream().map(line -> line.split(" +", 6))
                .filter(parts -> parts.length == 6 && parts[5].matches(".*/libm[.-].*so.*"))
                .map(parts -> Path.of(parts[5])).findFirst().orElseThrow();
        Files.copy(library, Files.createDirectory(driver()).resolve("libcuda.so.1"));
    }

    private void requireOnlyOwn(List<Path> mapped) throws IOException {
        Set<Path> others = new TreeSet<>();
        Set<String> names = new TreeSet<>();
        for (Path file : mapped) {
            String name = file.getFileName().toString();
            names.add(name.replaceFirst("[-.].*", ""));
            if (!file.startsWith(cache.resolve("inferometer/native"))
                    || !Arrays.equals(Files.readAllBytes(file), packaged.get(name))) {
                others.add(file);
            }
        }
        assertThat(others).isEmpty();
        assertThat(names).containsAll(LOADED);
    }
}
