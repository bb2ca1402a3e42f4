/// Where do the native libraries of the program's jars lie; who could have changed them. Libraries of drivers are not its matter: they
/// come from the system by name.
@org.jspecify.annotations.NullMarked
package org.inferometer.natives;
