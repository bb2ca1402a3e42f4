/// Sends the requests of a run on time and records their outcomes.
@org.jspecify.annotations.NullMarked
package org.inferometer.load;
