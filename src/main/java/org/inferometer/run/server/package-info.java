/// The life of a server that is started for runs: its process, its log, its readiness, its memory and its end.
@org.jspecify.annotations.NullMarked
package org.inferometer.run.server;
