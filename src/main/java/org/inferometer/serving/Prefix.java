package org.inferometer.serving;

import org.jspecify.annotations.Nullable;

/// A full block's content together with everything before it: its own tokens behind another prefix. Two are equal only when every
/// token is; the index keeps one object for each, so identity is equality.
final class Prefix {
    static final int NO_BLOCK = -1;

    final @Nullable Prefix parent;
    final long hash;
    final int[] tokens; // [blockTokens]

    /// The block that got this content last; the index links others with the same content behind it.
    int newestBlock = NO_BLOCK;
    /// Prefixes one block longer that the index knows.
    int children;
    /// Whether the index has forgotten it; the same content would be another object.
    boolean dead;
    @Nullable Prefix nextInBucket;

    Prefix(@Nullable Prefix parent, long hash, int[] tokens) {
        this.parent = parent;
        this.hash = hash;
        this.tokens = tokens;
    }

    boolean hasBlock() {
        return newestBlock != NO_BLOCK;
    }
}
