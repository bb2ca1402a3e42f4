/// Test configurations as experiments of this program.
@org.jspecify.annotations.NullMarked
package org.inferometer.suite.mapping;
