/// Limits of this machine and this program, and correctness of backends.
@org.jspecify.annotations.NullMarked
package org.inferometer.selfcheck;
