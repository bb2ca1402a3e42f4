/// What this machine and this program can resolve, and whether backends compute right.
@org.jspecify.annotations.NullMarked
package org.inferometer.selfcheck;
