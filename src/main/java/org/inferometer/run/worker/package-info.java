/// What happens in the worker process: one run, from opening its target to its verdict.
@org.jspecify.annotations.NullMarked
package org.inferometer.run.worker;
