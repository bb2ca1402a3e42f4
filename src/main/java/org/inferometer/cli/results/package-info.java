/// The commands on results: list, show, prune, share, steps, report, import, export.
@org.jspecify.annotations.NullMarked
package org.inferometer.cli.results;
