/// The commands compare and gate.
@org.jspecify.annotations.NullMarked
package org.inferometer.cli.compare;
