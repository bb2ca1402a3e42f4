/// Folders of experiment files: listed, validated, run in order.
@org.jspecify.annotations.NullMarked
package org.inferometer.suite;
