/// The host backend beside llama.cpp: the same shapes, threads and positions, in turn. A benchmark, never shipped.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host.peer;
