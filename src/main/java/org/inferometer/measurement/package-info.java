/// From instants to figures, statistics and verdicts. Pure.
@org.jspecify.annotations.NullMarked
package org.inferometer.measurement;
