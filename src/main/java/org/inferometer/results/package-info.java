/// Records on disk and the library of what was measured.
@org.jspecify.annotations.NullMarked
package org.inferometer.results;
