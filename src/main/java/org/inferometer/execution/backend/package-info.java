/// Parts shared by all backends: lanes as threads, checks, division of pools into blocks, and the reference pass.
@org.jspecify.annotations.NullMarked
package org.inferometer.execution.backend;
