/// The commands of suites.
@org.jspecify.annotations.NullMarked
package org.inferometer.cli.suite;
