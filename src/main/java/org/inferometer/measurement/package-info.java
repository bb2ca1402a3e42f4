/// From instants to figures. Pure.
@org.jspecify.annotations.NullMarked
package org.inferometer.measurement;
