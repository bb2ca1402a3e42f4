/// The commands of engines.
@org.jspecify.annotations.NullMarked
package org.inferometer.cli.engines;
