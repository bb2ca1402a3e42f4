package org.inferometer.results.bundle;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.UnfinishedFolder;
import org.inferometer.results.bundle.BundleManifest.BundledFile;
import org.inferometer.units.FolderTree;
import org.inferometer.units.LetterCase;

/// Unpacks bundles, also hostile ones: only files that the list names are written, each as long as it says, none outside the new
/// folders. Each result appears when it is complete. If one cannot be moved into place, none stays; a kill at that instant leaves some.
public final class BundleReader {
    /// Larger files are refused.
    public static final long MOST_ZIP_BYTES = 4L << 30;
    private final Path results;
    private final List<Path> others;

    /// @param results folder of the workspace in which each result gets a folder
    /// @param others more folders of results, such as samples; a result that is there is not unpacked
    public BundleReader(Path results, Path... others) {
        this.results = results;
        this.others = List.of(others);
    }

    /// An unpacked bundle.
    ///
    /// @param folders of the results by their name in the bundle
    /// @param known names of results that were here before: the same files, or the record of which the bundle has a share-safe copy
    public record Unpacked(BundleManifest manifest, Map<String, Path> folders, Set<String> known) {}

    /// Whether a file is to be read as a bundle, by its ending.
    public static boolean isBundle(Path file) {
        return LetterCase.lower(String.valueOf(file.getFileName())).endsWith(BundleWriter.ENDING);
    }

    /// Decides whether results are taken.
    @FunctionalInterface
    public interface Check {
        /// @param results by their name in the bundle
        /// @throws IOException if they are not taken
        void require(Map<String, ExperimentManifest> results) throws IOException;
    }

    /// Unpacks all results into the workspace.
    ///
    /// @throws ResultFormatException with one sentence if the bundle is damaged or not allowed; nothing was written then
    public Unpacked unpack(Path file) throws IOException {
        return unpack(file, _ -> {});
    }

    /// As [#unpack(Path)], if the check accepts the results. It is made before any of them appears.
    public Unpacked unpack(Path file, Check check) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new ResultFormatException(file, "there is no such file.");
        }
        if (Files.size(file) > MOST_ZIP_BYTES) {
            throw new ResultFormatException(file,
                    "the file is larger than " + (MOST_ZIP_BYTES >> 30) + " GiB, the limit of bundles.");
        }
        Map<String, UnfinishedFolder> unfinished = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            BundleManifest manifest = manifest(file, zip);
            requireRoom(file, manifest);
            Map<String, Path> folders = new LinkedHashMap<>();
            for (String name : manifest.results()) {
                Path folder = place(manifest, name);
                folders.put(name, folder);
                if (!Files.exists(folder)) {
                    unfinished.put(name, UnfinishedFolder.beside(folder));
                }
            }
            for (BundledFile listed : manifest.files()) {
                extract(file, zip, listed, unfinished);
            }
            if (zip.getNextEntry() != null) {
                throw new ResultFormatException(file, "the bundle holds files that it does not list.");
            }
            Map<String, ExperimentManifest> fresh = new LinkedHashMap<>();
            for (Map.Entry<String, UnfinishedFolder> each : unfinished.entrySet()) {
                fresh.put(each.getKey(), ResultLibrary.manifest(each.getValue().content()));
            }
            Map<String, ExperimentManifest> all = new LinkedHashMap<>(fresh);
            for (String name : manifest.results()) {
                if (!fresh.containsKey(name)) {
                    all.put(name, ResultLibrary.manifest(Objects.requireNonNull(folders.get(name))));
                }
            }
            check.require(all);
            if (manifest.shareSafe()) {
                originals(fresh).forEach((name, original) -> {
                    folders.put(name, original);
                    fresh.remove(name);
                });
            }
            publish(unfinished, folders, fresh.keySet());
            Set<String> known = new LinkedHashSet<>(folders.keySet());
            known.removeAll(fresh.keySet());
            return new Unpacked(manifest, folders, Set.copyOf(known));
        } catch (EOFException | ZipException | IllegalArgumentException e) {
            throw new ResultFormatException(file, "the file is damaged or incomplete. Ask for it again.");
        } finally {
            for (UnfinishedFolder each : unfinished.values()) {
                each.close();
            }
        }
    }

    private static BundleManifest manifest(Path file, ZipInputStream zip) throws IOException {
        ZipEntry first = zip.getNextEntry();
        if (first == null || !first.getName().equals(BundleManifest.NAME)) {
            throw new ResultFormatException(file, "this is not a bundle of Inferometer.");
        }
        byte[] json = zip.readNBytes(BundleManifest.MOST_MANIFEST_BYTES + 1);
        if (json.length > BundleManifest.MOST_MANIFEST_BYTES) {
            throw new ResultFormatException(file, "the list of the bundle's files is too long.");
        }
        return BundleManifest.parse(file, json);
    }

    private void requireRoom(Path file, BundleManifest manifest) throws IOException {
        manifest.requireLikelySize(file, Files.size(file));
        Files.createDirectories(results);
        long free = Files.getFileStore(results).getUsableSpace();
        if (manifest.bytes() > free) {
            throw new ResultFormatException(file, "the bundle needs " + (manifest.bytes() >> 20) + " MiB; "
                    + (free >> 20) + " MiB are free. Nothing was written.");
        }
    }

    /// Where a result goes: to its name, or if another result has it, to the name with a number. An equal result stays.
    private Path place(BundleManifest manifest, String name) throws IOException {
        Path folder = results.resolve(name);
        for (int again = 2; Files.exists(folder, LinkOption.NOFOLLOW_LINKS); again++) {
            if (isSame(manifest, name, folder)) {
                return folder;
            }
            folder = results.resolve(name + "-" + again);
        }
        return folder;
    }

    /// The results here of which others are share-safe copies, by the name of the copy. Ids may have been removed; instants and figures
    /// stay.
    private Map<String, Path> originals(Map<String, ExperimentManifest> copies) {
        List<ResultLibrary.Entry> here = new ArrayList<>();
        if (!copies.isEmpty()) {
            Stream.concat(Stream.of(results), others.stream())
                    .forEach(library -> here.addAll(new ResultLibrary(library).list()));
        }
        Map<String, Path> originals = new LinkedHashMap<>();
        copies.forEach((name, copy) -> here.stream()
                .filter(entry -> !originals.containsValue(entry.folder())
                        && entry.manifest().filter(known -> measuredTheSame(known, copy)).isPresent())
                .findFirst().ifPresent(entry -> originals.put(name, entry.folder())));
        return originals;
    }

    private static boolean measuredTheSame(ExperimentManifest one, ExperimentManifest other) {
        return one.times().equals(other.times()) && one.status() == other.status()
                && one.plan().size() == other.plan().size() && one.cells().size() == other.cells().size()
                && IntStream.range(0, one.cells().size())
                        .allMatch(cell -> sameFigures(one.cells().get(cell), other.cells().get(cell)));
    }

    /// A copy of an older record may have more figures and seeds.
    private static boolean sameFigures(ExperimentManifest.CellSummary original, ExperimentManifest.CellSummary copy) {
        Map<String, List<Double>> copied = new HashMap<>();
        copy.figures().forEach(figure -> copied.put(figure.metric().id(), figure.runValues()));
        return original.figures().stream().allMatch(
                figure -> figure.runValues().equals(copied.getOrDefault(figure.metric().id(), figure.runValues())));
    }

    private static boolean isSame(BundleManifest manifest, String name, Path folder) throws IOException {
        String prefix = "results/" + name + "/";
        for (BundledFile listed : manifest.files()) {
            if (listed.path().startsWith(prefix)) {
                Path here = folder.resolve(listed.path().substring(prefix.length()));
                if (!Files.isRegularFile(here, LinkOption.NOFOLLOW_LINKS) || Files.size(here) != listed.bytes()
                        || !BundleWriter.sha256(here).equals(listed.sha256())) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Reads the next file and checks it against the list; writes it if its result is new.
    private static void extract(Path file, ZipInputStream zip, BundledFile listed,
            Map<String, UnfinishedFolder> unfinished) throws IOException {
        ZipEntry entry = zip.getNextEntry();
        if (entry == null) {
            throw new EOFException();
        }
        if (!entry.getName().equals(listed.path())) {
            throw new ResultFormatException(file, "the bundle's files are not those that it lists.");
        }
        String[] names = listed.path().split("/");
        UnfinishedFolder into = names.length < 3 ? null : unfinished.get(names[1]);
        MessageDigest digest = BundleWriter.digest();
        if (into == null) {
            copy(file, zip, OutputStream.nullOutputStream(), listed, digest);
        } else {
            Path target = into.content().resolve(listed.path().substring(names[0].length() + names[1].length() + 2));
            Files.createDirectories(Objects.requireNonNull(target.getParent()));
            try (OutputStream out = Files.newOutputStream(target)) {
                copy(file, zip, out, listed, digest);
            }
        }
        if (!HexFormat.of().formatHex(digest.digest()).equals(listed.sha256())) {
            throw new ResultFormatException(file, "a file of the bundle is damaged. Ask for it again.");
        }
    }

    /// Copies as many bytes as are listed, and not one more.
    private static void copy(Path file, ZipInputStream zip, OutputStream out, BundledFile listed, MessageDigest digest)
            throws IOException {
        byte[] buffer = new byte[1 << 16];
        long rest = listed.bytes();
        for (int read = zip.read(buffer); read >= 0; read = zip.read(buffer)) {
            rest -= read;
            if (rest < 0) {
                break;
            }
            digest.update(buffer, 0, read);
            out.write(buffer, 0, read);
        }
        if (rest != 0) {
            throw new ResultFormatException(file, "a file of the bundle is not as long as it lists.");
        }
    }

    /// Moves all results into place; takes back those that were moved if one cannot be.
    private static void publish(Map<String, UnfinishedFolder> unfinished, Map<String, Path> folders, Set<String> fresh)
            throws IOException {
        List<Path> published = new ArrayList<>();
        try {
            for (String name : fresh) {
                Objects.requireNonNull(unfinished.get(name)).publish();
                published.add(Objects.requireNonNull(folders.get(name)));
            }
        } catch (IOException e) {
            for (Path folder : published) {
                FolderTree.delete(folder);
            }
            throw e;
        }
    }
}
