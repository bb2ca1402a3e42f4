package org.inferometer.results;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.inferometer.units.HeldFile;
import org.inferometer.units.Leftovers;

/// The files and folders that commands write to, also inside the workspace: one held file per output, in a hidden folder of it.
///
/// A process notes an output before it writes and removes the note when it has ended. A killed process leaves its note, so that
/// what it left beside the output is found. A note says where to look, never what to delete.
///
/// @param folder of the notes; may not exist
public record OutputFolders(Path folder) {
    /// The oldest notes of killed processes beyond are dropped.
    static final int MOST_NOTES = 1000;
    private static final int MOST_BYTES = 32 << 10;
    /// Of results in the folder that `--out` names: an experiment, its runs.
    private static final int DEPTH = 3;

    /// The notes of a workspace.
    ///
    /// @param workspace its root
    public static OutputFolders of(Path workspace) {
        return new OutputFolders(workspace.resolve(".outputs"));
    }

    /// An output that a killed process wrote to.
    ///
    /// @param note its file
    /// @param output file or folder
    /// @param disk the name of the disk that it was on
    public record Interrupted(Path note, Path output, String disk) {
        /// What processes left in the folder of the output and in the output itself.
        ///
        /// @throws IOException if a folder cannot be listed
        public Leftovers.Found leftovers() throws IOException {
            Path parent = output.getParent();
            Leftovers.Found beside =
                    parent == null ? new Leftovers.Found(List.of(), false) : Leftovers.search(parent, 0);
            Leftovers.Found inside = Leftovers.search(output, DEPTH);
            return new Leftovers.Found(
                    Stream.concat(beside.paths().stream(), inside.paths().stream()).distinct().sorted().toList(),
                    beside.written() || inside.written());
        }

        /// Whether the output's disk is there: not if another one is in its place, as where it was unmounted.
        public boolean isReachable() {
            return disk.equals(diskOf(output));
        }

        /// Removes the note.
        public void forget() throws IOException {
            Leftovers.delete(note);
        }
    }

    /// Notes that this process writes to a file or folder. The caller closes the note when it has written.
    ///
    /// @throws IOException if the workspace is missing, or cannot be written
    public HeldFile note(Path output) throws IOException {
        dropOldest();
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException e) {
            // A workspace that is missing is not made.
        }
        Path absolute = output.toAbsolutePath().normalize();
        HeldFile note = HeldFile.hold(folder, Leftovers.WRITING, "-" + UUID.randomUUID());
        try {
            note.write((diskOf(absolute) + "\n" + absolute.toUri().toASCIIString() + "\n")
                    .getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            try (note) {
                throw e;
            }
        }
        return note;
    }

    /// The outputs of killed processes, in the order of their paths. Removes notes that say nothing; what is no note stays.
    public List<Interrupted> interrupted() throws IOException {
        List<Interrupted> found = new ArrayList<>();
        for (Path note : notes()) {
            Optional<Interrupted> read = read(note);
            if (read.isPresent()) {
                found.add(read.get());
            } else {
                Leftovers.delete(note);
            }
        }
        found.sort(Comparator.comparing(Interrupted::output));
        return List.copyOf(found);
    }

    /// Notes of killed processes; nothing else that lies in their folder.
    private List<Path> notes() throws IOException {
        return Leftovers.search(folder, 0).paths().stream()
                .filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                        && path.getFileName().toString().startsWith(Leftovers.WRITING))
                .toList();
    }

    /// Empty if the note cannot be read, or names no file of this machine.
    private static Optional<Interrupted> read(Path note) {
        try {
            if (Files.size(note) > MOST_BYTES) {
                return Optional.empty();
            }
            String[] lines = Files.readString(note, StandardCharsets.ISO_8859_1).split("\n", -1);
            return lines.length == 3 && "file".equals(URI.create(lines[1]).getScheme())
                    ? Optional.of(new Interrupted(note, Path.of(URI.create(lines[1])).normalize(), lines[0]))
                    : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void dropOldest() throws IOException {
        List<Path> notes = notes();
        List<Path> byAge = notes.size() < MOST_NOTES ? List.of()
                : notes.stream().sorted(Comparator.comparingLong(note -> note.toFile().lastModified())).toList();
        for (Path note : byAge.subList(0, Math.max(0, byAge.size() - MOST_NOTES + 1))) {
            Leftovers.delete(note);
        }
    }

    /// The disk of the nearest folder that exists, in plain characters; empty if it is not known.
    private static String diskOf(Path output) {
        Path existing = output;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        try {
            return existing == null ? ""
                    : URLEncoder.encode(Files.getFileStore(existing).name(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
