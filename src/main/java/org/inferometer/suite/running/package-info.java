/// Runs of suites: which tests, what on, and how far they are.
@org.jspecify.annotations.NullMarked
package org.inferometer.suite.running;
