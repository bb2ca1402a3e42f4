package org.inferometer.remote;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.results.ResultNotes;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.results.bundle.BundleWriter;

/// Brings results of other machines into a folder of results. A result appears whole or not at all.
///
/// @param results folder here
public record RemoteResults(Path results) {
    /// Larger bundles are refused.
    private static final long MOST_BYTES = 64L << 30;

    /// Fetches a result.
    ///
    /// @param id its name there, or `latest`
    /// @return its folder here
    /// @throws IOException in one sentence
    public Path fetch(SshHost host, String id) throws IOException {
        try (SshConnection connection = SshConnection.open(host, RemoteOrder.toFetch(id))) {
            Optional<RemoteEvent> event = connection.next();
            while (event.isPresent()) {
                if (event.get() instanceof RemoteEvent.Bundle bundle) {
                    return receive(host, connection, bundle);
                }
                if (event.get() instanceof RemoteEvent.Failed failed) {
                    throw new IOException(host.text() + ": " + failed.sentence());
                }
                event = connection.next();
            }
            throw new IOException(connection.failure());
        }
    }

    /// Takes the bundle that comes next on a connection.
    Path receive(SshHost host, SshConnection connection, RemoteEvent.Bundle bundle) throws IOException {
        if (bundle.bytes() < 0 || bundle.bytes() > MOST_BYTES) {
            throw new IOException(host.text() + ": the record has " + bundle.bytes() + " bytes; at most "
                    + (MOST_BYTES >> 30) + " GiB are taken.");
        }
        Path file = Files.createTempFile("inferometer-", BundleWriter.ENDING);
        try {
            try (OutputStream out = Files.newOutputStream(file)) {
                connection.copy(bundle.bytes(), out);
            }
            BundleReader.Unpacked unpacked = new BundleReader(results).unpack(file);
            if (unpacked.folders().size() != 1) {
                throw new IOException(
                        host.text() + ": the record came with " + unpacked.folders().size() + " results, not one.");
            }
            Path folder = unpacked.folders().values().iterator().next();
            note(folder, host);
            return folder;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /// Records name no machine, so that they can be shared; the notes do.
    private static void note(Path folder, SshHost host) throws IOException {
        ResultNotes notes = ResultNotes.read(folder);
        if (notes.equals(ResultNotes.NONE)) {
            ResultNotes.of("", false, "", "Measured on " + host.text() + ".").write(folder);
        }
    }
}
