package org.inferometer.results.bundle;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RecordFiles;
import org.inferometer.results.Anonymizer;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.results.UnfinishedFolder;
import org.inferometer.results.bundle.BundleManifest.BundledFile;
import org.inferometer.units.FileFault;

/// Writes results into one ZIP file, with their view, notes and report. The results themselves stay as they are.
public final class BundleWriter {
    /// The ending of the files.
    public static final String ENDING = ".inferometer";
    private final String version;
    private final Optional<TextAnonymizer> safe;

    /// @param version of this program
    /// @param safe removes host, user, paths, prompts and answers; absent to copy the records as they are
    public BundleWriter(String version, Optional<TextAnonymizer> safe) {
        this.version = version;
        this.safe = safe;
    }

    /// What is bundled with the results.
    ///
    /// @param view with the folder names of [#folders]
    /// @param report a page; empty for none
    public record Contents(List<ExperimentRecord> results, BundleView view, String notes, byte[] report) {}

    /// The names of results in a bundle: those of their folders, made distinct.
    public List<String> folders(List<Path> results) {
        List<String> names = new ArrayList<>();
        for (Path result : results) {
            String folder = String.valueOf(result.toAbsolutePath().normalize().getFileName());
            String bare = safe.map(text -> text.of(folder)).orElse(folder);
            String name = bare;
            for (int again = 2; names.contains(name); again++) {
                name = bare + "-" + again;
            }
            names.add(name);
        }
        return names;
    }

    /// Writes a bundle, replacing the file when it is complete.
    ///
    /// @return the list of its files and of what was removed
    /// @throws IOException with one sentence if a file cannot be read or written, or if the results are too large
    public BundleManifest write(Contents contents, Instant now, Path file) throws IOException {
        List<String> names = folders(contents.results().stream().map(ExperimentRecord::folder).toList());
        Path target = file.toAbsolutePath();
        try (UnfinishedFolder unfinished = UnfinishedFolder.beside(target)) {
            Path copies = unfinished.content();
            Map<String, Path> sources = new LinkedHashMap<>();
            List<String> removed = List.of();
            if (contents.report().length > 0) {
                sources.put(BundleManifest.REPORT,
                        Files.write(copies.resolve(BundleManifest.REPORT), contents.report()));
            }
            if (safe.isPresent()) {
                Anonymizer anonymizer = new Anonymizer(safe.get());
                for (int i = 0; i < names.size(); i++) {
                    Path copy = copies.resolve("results").resolve(names.get(i));
                    anonymizer.copy(contents.results().get(i), copy);
                    addRecord(sources, names.get(i), copy);
                }
                removed = anonymizer.removed();
            } else {
                for (int i = 0; i < names.size(); i++) {
                    addRecord(sources, names.get(i), contents.results().get(i).folder());
                }
            }
            List<BundledFile> files = new ArrayList<>();
            for (Map.Entry<String, Path> each : sources.entrySet()) {
                files.add(new BundledFile(each.getKey(), Files.size(each.getValue()), sha256(each.getValue())));
            }
            String notes = safe.map(text -> text.of(contents.notes())).orElse(contents.notes());
            BundleManifest manifest = new BundleManifest(BundleManifest.FORMAT_VERSION, BundleManifest.KIND, version,
                    now.toString(), safe.isPresent(), removed, notes, safeView(contents.view()), names, files);
            byte[] json = manifest.json();
            BundleManifest.parse(file, json);
            Path zip = copies.resolve("bundle.zip");
            zip(zip, json, sources);
            manifest.requireLikelySize(file, Files.size(zip));
            Files.move(zip, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return manifest;
        } catch (UncheckedIOException e) {
            throw FileFault.at(file, Objects.requireNonNull(e.getCause()));
        }
    }

    /// Its folders have safe names.
    private BundleView safeView(BundleView view) {
        return safe.map(text -> new BundleView(view.opened(), view.compared(), view.anyway(), view.timeline(),
                view.look().withTexts(text::of))).orElse(view);
    }

    /// The files of a record, and none that a person put beside them.
    private static void addRecord(Map<String, Path> sources, String name, Path folder) throws IOException {
        for (Path each : children(folder)) {
            String inside = "results/" + name + "/" + each.getFileName();
            if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                if (Files.exists(each.resolve(RecordFiles.RUN), LinkOption.NOFOLLOW_LINKS)) {
                    for (Path part : children(each)) {
                        if (Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)
                                && RecordFiles.isOfRun(String.valueOf(part.getFileName()))) {
                            sources.put(inside + "/" + part.getFileName(), part);
                        }
                    }
                }
            } else if (Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)
                    && RecordFiles.isOfExperiment(String.valueOf(each.getFileName()))) {
                sources.put(inside, each);
            }
        }
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(each -> !String.valueOf(each.getFileName()).startsWith(".")).sorted().toList();
        }
    }

    private static void zip(Path zip, byte[] manifest, Map<String, Path> sources) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(zip)))) {
            out.putNextEntry(entry(BundleManifest.NAME));
            out.write(manifest);
            for (Map.Entry<String, Path> each : sources.entrySet()) {
                out.putNextEntry(entry(each.getKey()));
                Files.copy(each.getValue(), out);
            }
        }
    }

    /// Without the time of writing.
    private static ZipEntry entry(String name) {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
        return entry;
    }

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    static String sha256(Path file) throws IOException {
        MessageDigest digest = digest();
        try (InputStream in = Files.newInputStream(file);
                OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
            in.transferTo(out);
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
