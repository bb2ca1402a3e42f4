/// Figures of suites: read from logs, taken from records, written as the framework writes them.
@org.jspecify.annotations.NullMarked
package org.inferometer.suite.figures;
