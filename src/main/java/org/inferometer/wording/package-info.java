/// The sentences about findings, each made in one place. Nothing reads a sentence back. They stand in Java, not in message bundles: switches
/// over sealed values miss none, and lists and plurals need code.
@org.jspecify.annotations.NullMarked
package org.inferometer.wording;
