/// What runs next: the contract of schedulers, and the schedulers.
@org.jspecify.annotations.NullMarked
package org.inferometer.scheduling;
