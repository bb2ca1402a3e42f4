/// Choices with options (schedulers, backends): described once, used by command line, files and forms.
@org.jspecify.annotations.NullMarked
package org.inferometer.options;
