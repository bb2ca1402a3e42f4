package org.inferometer.natives;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.inferometer.units.EnvironmentVariables;
import org.jspecify.annotations.Nullable;

/// Native libraries of the program's jars, as files in a folder that no other user can enter.
///
/// The libraries' own loaders load any file of the right name in a shared folder. Callers get the path here and give it to the loader.
/// Each file is compared with its jar once per process, before it is loaded. Any thread may call.
public final class NativeLibraries {
    private static final int CHUNK = 1 << 16;
    private static final long LARGE_BYTES = 32 << 20;

    private static final class OfThisUser {
        private static final NativeLibraries LIBRARIES =
                new NativeLibraries(EnvironmentVariables.ofProcess(), System.getProperty("user.home", "?"));
    }

    private final EnvironmentVariables environment;
    private final String home;
    private final Map<String, Path> verified = new HashMap<>();
    private @Nullable OwnFolder own;

    /// A library in a jar. Its checksum names the folder, so that versions of the program do not replace each other's files.
    private record Packaged(URL url, String file, long bytes, long crc) {}

    /// @param home the user's home folder
    NativeLibraries(EnvironmentVariables environment, String home) {
        this.environment = environment;
        this.home = home;
    }

    /// The libraries in the cache folder of the user who runs this process.
    public static NativeLibraries ofThisUser() {
        return OfThisUser.LIBRARIES;
    }

    /// The folder that has these entries of the class path as files.
    ///
    /// @param label begin of the folder's name
    /// @param entries "lib/libx.so" becomes the file "libx.so"
    /// @throws FileNotFoundException if no jar has an entry
    /// @throws IOException if the files cannot be written
    public synchronized Path folder(String label, List<String> entries) throws IOException {
        Path known = verified.get(label);
        if (known != null) {
            return known;
        }
        List<Packaged> packaged = new ArrayList<>();
        for (String entry : entries) {
            URL url = NativeLibraries.class.getResource("/" + entry);
            if (url == null) {
                throw new FileNotFoundException(entry + " is not on the class path");
            }
            packaged.add(packaged(url, entry));
        }
        return provide(label, packaged);
    }

    /// The folder of all native libraries at the top of the jar that has this entry; empty if no jar has it.
    public synchronized Optional<Path> folderOfJar(String label, String entry) throws IOException {
        URL url = NativeLibraries.class.getResource("/" + entry);
        if (verified.containsKey(label) || url == null || !(url.openConnection() instanceof JarURLConnection jar)) {
            return Optional.ofNullable(verified.get(label));
        }
        String suffix = suffix();
        jar.setUseCaches(false);
        List<String> names;
        try (JarFile file = jar.getJarFile()) {
            names = file.stream().map(JarEntry::getName).filter(name -> !name.contains("/") && name.endsWith(suffix))
                    .sorted().toList();
        }
        return names.isEmpty() ? Optional.empty() : Optional.of(folder(label, names));
    }

    private static String suffix() {
        return System.mapLibraryName("").replaceFirst("^lib", "");
    }

    /// A native library in a folder where JavaFX looks first: that of the jar with this entry, and on Windows `bin` beside that folder.
    public static Optional<Path> besideJar(String entry) throws IOException {
        URL url = NativeLibraries.class.getResource("/" + entry);
        if (url == null || !(url.openConnection() instanceof JarURLConnection jar)) {
            return Optional.empty();
        }
        Path folder = Path.of(URI.create(jar.getJarFileURL().toString())).resolveSibling("");
        Path bin = folder.resolveSibling("bin");
        for (Path place : Files.isDirectory(bin) && suffix().equals(".dll") ? List.of(folder, bin) : List.of(folder)) {
            try (Stream<Path> files = Files.list(place)) {
                Optional<Path> found = files.filter(file -> file.toString().endsWith(suffix())).sorted().findFirst();
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Packaged packaged(URL url, String entry) throws IOException {
        if (!(url.openConnection() instanceof JarURLConnection jar)) {
            throw new FileNotFoundException(entry + " is in no jar");
        }
        jar.setUseCaches(false);
        try (JarFile file = jar.getJarFile()) {
            JarEntry found = file.getJarEntry(entry);
            return new Packaged(url, entry.substring(entry.lastIndexOf('/') + 1), found.getSize(), found.getCrc());
        }
    }

    private Path provide(String label, List<Packaged> packaged) throws IOException {
        OwnFolder opened = own == null ? OwnFolder.open(environment, home) : own;
        own = opened;
        CRC32 content = new CRC32();
        for (Packaged each : packaged) {
            content.update(
                    (each.file() + " " + each.bytes() + " " + each.crc() + "\n").getBytes(StandardCharsets.UTF_8));
        }
        Path folder = opened.folder(label + "-" + HexFormat.of().toHexDigits((int) content.getValue()),
                packaged.stream().map(Packaged::file).collect(Collectors.toSet()));
        for (Packaged each : packaged) {
            Path file = folder.resolve(each.file());
            if (!opened.isOwnFile(file) || !hasContent(file, each)) {
                write(file, each);
            }
            if (opened.isTemporary()) {
                file.toFile().deleteOnExit();
            }
        }
        verified.put(label, folder);
        return folder;
    }

    /// Writes beside the file, then moves: no other process sees a part of it.
    private static void write(Path file, Packaged packaged) throws IOException {
        Path part = Files.createTempFile(file.getParent(), packaged.file(), OwnFolder.PART);
        try {
            OwnFolder.removeAbandoned(part);
            try (InputStream content = packaged.url().openStream(); OutputStream out = Files.newOutputStream(part)) {
                content.transferTo(out);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /// A large file is compared by its checksum, because unpacking it at each start takes too long. Only this user can write the file, so
    /// a difference is damage.
    private static boolean hasContent(Path file, Packaged packaged) throws IOException {
        return Files.size(file) == packaged.bytes()
                && (packaged.bytes() > LARGE_BYTES ? crc(file) == packaged.crc() : equalsEntry(file, packaged));
    }

    private static boolean equalsEntry(Path file, Packaged packaged) throws IOException {
        byte[] expected = new byte[CHUNK];
        byte[] actual = new byte[CHUNK];
        try (InputStream entry = packaged.url().openStream(); InputStream content = Files.newInputStream(file)) {
            int count;
            do {
                count = entry.readNBytes(expected, 0, CHUNK);
                if (content.readNBytes(actual, 0, CHUNK) != count
                        || !Arrays.equals(expected, 0, count, actual, 0, count)) {
                    return false;
                }
            } while (count > 0);
            return true;
        }
    }

    private static long crc(Path file) throws IOException {
        CRC32 sum = new CRC32();
        try (InputStream content = Files.newInputStream(file)) {
            byte[] chunk = new byte[CHUNK];
            for (int count = content.read(chunk); count >= 0; count = content.read(chunk)) {
                sum.update(chunk, 0, count);
            }
        }
        return sum.getValue();
    }
}
