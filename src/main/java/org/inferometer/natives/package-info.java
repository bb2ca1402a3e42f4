/// Where do the native libraries of the program's jars lie; who could have changed them. Libraries of drivers do not belong here: the
/// system finds them by name.
@org.jspecify.annotations.NullMarked
package org.inferometer.natives;
