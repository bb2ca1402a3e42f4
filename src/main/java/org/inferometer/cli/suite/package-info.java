/// The command `suite`.
@org.jspecify.annotations.NullMarked
package org.inferometer.cli.suite;
