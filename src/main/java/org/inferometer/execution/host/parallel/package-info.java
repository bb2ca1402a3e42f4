/// What kernels divide their work over: the lanes of vectors and the threads of a lane.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.host.parallel;
