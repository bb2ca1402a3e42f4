package org.inferometer.cli;

/// What the program's exit code means.
final class ExitCodes {
    static final int DONE = 0;
    static final int VERDICT_FAILED = 1;
    static final int WRONG_USE = 2;
    static final int RUN_FAILED = 3;

    private ExitCodes() {}
}
