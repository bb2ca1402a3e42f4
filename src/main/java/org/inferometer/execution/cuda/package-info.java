/// The NVIDIA backend through JCuda.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.cuda;
