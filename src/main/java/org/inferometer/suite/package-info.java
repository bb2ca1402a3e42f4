/// Folders of experiment files and their faults.
@org.jspecify.annotations.NullMarked
package org.inferometer.suite;
