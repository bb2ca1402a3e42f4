package org.inferometer.engine;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

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

    /// A digest that goes on from the same bytes.
    public static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError("The JDK's SHA-256 can be copied.", impossible);
        }
    }

    /// The hex digest of the bytes so far; more may follow.
    public static String soFar(MessageDigest digest) {
        return HexFormat.of().formatHex(copy(digest).digest());
    }
}
