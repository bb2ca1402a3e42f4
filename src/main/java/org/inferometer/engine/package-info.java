/// What a model folder is: how it is built, quantised, mapped and checked.
@org.jspecify.annotations.NullMarked
package org.inferometer.engine;
