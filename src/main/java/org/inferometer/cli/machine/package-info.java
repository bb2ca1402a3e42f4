/// The commands devices and selfcheck.
@org.jspecify.annotations.NullMarked
package org.inferometer.cli.machine;
