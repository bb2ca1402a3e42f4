/// What runs next: the contract between scheduler, loop and executor, and the schedulers.
@org.jspecify.annotations.NullMarked
package org.inferometer.scheduling;
