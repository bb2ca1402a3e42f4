/// How keys and values lie on the device, and how the attention of a step is divided.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.cuda.attention;
