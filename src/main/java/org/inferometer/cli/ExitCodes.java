package org.inferometer.cli;

/// What the program's exit code means.
public final class ExitCodes {
    public static final int DONE = 0;
    public static final int VERDICT_FAILED = 1;
    static final int WRONG_USE = 2;
    public static final int RUN_FAILED = 3;

    private ExitCodes() {}
}
