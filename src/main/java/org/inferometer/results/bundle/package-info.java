/// Results in one file, with their view, notes and report: written, checked and unpacked.
@org.jspecify.annotations.NullMarked
package org.inferometer.results.bundle;
