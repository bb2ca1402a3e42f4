/// How are weights rounded with the help of a text.
@org.jspecify.annotations.NullMarked
package org.inferometer.quantising;
