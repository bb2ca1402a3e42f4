/// The CPU backend.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host;
