package org.inferometer.remote;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.results.ResultNotes;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.units.HeldFile;
import org.inferometer.units.Leftovers;
import org.inferometer.units.OneLine;
import org.inferometer.units.QuantityText;

/// Fetches results from other machines into a folder of results. A result appears whole or not at all.
///
/// @param results folder here
public record RemoteResults(Path results) {
    /// A record that was refused for its size, before a byte of it was received, or because another one was asked for.
    static final class RefusedRecord extends IOException {
        private static final long serialVersionUID = 1;

        RefusedRecord(String sentence) {
            super(sentence);
        }
    }

    /// Fetches a result.
    ///
    /// @param id its name there, or `latest`
    /// @return its folder here
    /// @throws IOException in one sentence
    public Path fetch(SshHost host, String id) throws IOException {
        try (SshConnection connection = SshConnection.open(host, RemoteOrder.toFetch(id))) {
            return fetched(host, connection, id);
        }
    }

    /// Receives the result that was ordered on a connection.
    Path fetched(SshHost host, SshConnection connection, String id) throws IOException {
        Optional<RemoteEvent> event;
        try (SshConnection.Deadline packed = connection.new Deadline()) {
            packed.begin(connection.limits().progress(), "did not send the record.");
            event = connection.next();
        }
        return switch (event.orElseThrow(() -> new IOException(connection.failure()))) {
            case RemoteEvent.Bundle bundle -> receive(host, connection, bundle, id, _ -> true);
            case RemoteEvent.Failed failed -> throw new IOException(host.text() + ": " + failed.sentence());
            default -> throw new IOException(host.text() + " did not send the record, but something else.");
        };
    }

    /// Receives the bundle that comes next on a connection. Its size is checked before a byte is read, and what it holds before it appears.
    ///
    /// @param name of the result in the bundle, or `latest` for any
    /// @param expected whether it is the result that was asked for
    Path receive(SshHost host, SshConnection connection, RemoteEvent.Bundle bundle, String name,
            Predicate<ExperimentManifest> expected) throws IOException {
        requireRoom(host, bundle.bytes(), name);
        // Beside the results: folders for temporary files are often small and in memory.
        try (HeldFile file = HeldFile.hold(results, Leftovers.WRITING, "-" + UUID.randomUUID() + BundleWriter.ENDING)) {
            connection.copy(bundle.bytes(), Channels.newOutputStream(file.channel()));
            Path folder = new BundleReader(results).unpack(file.path(), sent -> requireOne(host, name, expected, sent))
                    .folders().values().iterator().next();
            note(folder, host);
            return folder;
        }
    }

    private static void requireOne(SshHost host, String name, Predicate<ExperimentManifest> expected,
            Map<String, ExperimentManifest> sent) throws RefusedRecord {
        if (sent.size() != 1) {
            throw new RefusedRecord(host.text() + " sent " + sent.size() + " results instead of one. None was kept.");
        }
        Map.Entry<String, ExperimentManifest> only = sent.entrySet().iterator().next();
        boolean named = name.equals(RemoteSide.LATEST) || name.equals(only.getKey());
        if (!named || !expected.test(only.getValue())) {
            throw new RefusedRecord(
                    host.text() + " sent the record of " + OneLine.of(named ? only.getValue().id() : only.getKey())
                            + " instead of " + OneLine.of(name) + ". It was not kept.");
        }
    }

    private void requireRoom(SshHost host, long bytes, String id) throws IOException {
        String where = host.text() + " announces a record of " + QuantityText.bytes(bytes) + "; ";
        String remedy = " Nothing was received. The record is still there, in results/" + OneLine.of(id) + ". ";
        if (bytes < 0 || bytes > BundleReader.MOST_ZIP_BYTES) {
            throw new RefusedRecord(where + "the limit is " + QuantityText.bytes(BundleReader.MOST_ZIP_BYTES) + "."
                    + remedy + "Copy that folder with scp -r to " + results + ".");
        }
        Files.createDirectories(results);
        long free = Files.getFileStore(results).getUsableSpace();
        if (bytes > free) {
            throw new RefusedRecord(where + QuantityText.bytes(free) + " are free in " + results + "." + remedy
                    + "Free disk space, then fetch it.");
        }
    }

    /// Records do not name the machine, so that they can be shared. The notes name it.
    private static void note(Path folder, SshHost host) throws IOException {
        ResultNotes notes = ResultNotes.read(folder);
        if (notes.equals(ResultNotes.NONE)) {
            ResultNotes.of("", false, "", "Measured on " + host.text() + ".").write(folder);
        }
    }
}
