/// How a model's weights lie on the device, and how they get there.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.cuda.weights;
