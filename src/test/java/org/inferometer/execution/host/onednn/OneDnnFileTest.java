package org.inferometer.execution.host.onednn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class OneDnnFileTest {
    /// With another version of oneDNN, copy the hash that this test prints.
    @Test
    void theKnownHashIsThatOfTheLibraryInTheJar() throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        InputStream entry = OneDnn.class.getResourceAsStream("/" + OneDnn.IN_JAR + OneDnn.LIBRARY);
        assumeTrue(entry != null, "oneDNN is part of the program on Linux x86-64 alone.");
        try (InputStream content = new DigestInputStream(entry, digest)) {
            content.transferTo(OutputStream.nullOutputStream());
        }
        assertThat(HexFormat.of().formatHex(digest.digest())).isEqualTo(OneDnn.SHA256);
    }
}
