/// The CPU backend: the transformer forward pass on the Vector API, and its plain scalar reference.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host;
