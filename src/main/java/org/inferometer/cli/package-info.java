/// Every action as a command.
@org.jspecify.annotations.NullMarked
package org.inferometer.cli;
