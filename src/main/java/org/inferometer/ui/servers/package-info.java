/// Servers that experiments can be run against, and what a probe found of them.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.servers;
