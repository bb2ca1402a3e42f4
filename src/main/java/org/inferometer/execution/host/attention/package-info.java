/// The KV cache of the host backend, rotary positions and the attention over both.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host.attention;
