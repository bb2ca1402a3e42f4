/// What a benchmark drives: an in-process engine, or nothing at all to measure the harness itself.
@org.jspecify.annotations.NullMarked
package org.inferometer.target;
