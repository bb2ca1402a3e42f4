/// The same record under the rules of other tools, and which rule moved which figure. Pure.
@org.jspecify.annotations.NullMarked
package org.inferometer.measurement.definitions;
