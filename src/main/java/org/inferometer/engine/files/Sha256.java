package org.inferometer.engine.files;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The SHA-256 digest of engine files.
public final class Sha256 {
    private Sha256() {}

    /// A new digest.
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("Every Java platform has SHA-256.", impossible);
        }
    }
}
