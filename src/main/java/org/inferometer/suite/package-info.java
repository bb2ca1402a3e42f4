/// Folders of experiment files: which there are, and what is wrong with them.
@org.jspecify.annotations.NullMarked
package org.inferometer.suite;
