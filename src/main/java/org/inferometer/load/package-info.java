/// Sends the requests of a run on time and records what becomes of them.
@org.jspecify.annotations.NullMarked
package org.inferometer.load;
