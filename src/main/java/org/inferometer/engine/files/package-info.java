/// How the files of an engine folder are read, mapped and hashed, and what is wrong with one.
@org.jspecify.annotations.NullMarked
package org.inferometer.engine.files;
