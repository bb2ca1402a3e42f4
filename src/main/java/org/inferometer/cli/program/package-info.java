/// Which commands there are; help; how a command line becomes one of them.
@org.jspecify.annotations.NullMarked
package org.inferometer.cli.program;
