package org.inferometer.cli;

/// The program's exit codes: 0 success, 1 verdict or check failed, 2 usage error, 3 failure. docs/ci-gate.md has the launcher's.
public final class ExitCodes {
    public static final int DONE = 0;
    public static final int VERDICT_FAILED = 1;
    public static final int USAGE_ERROR = 2;
    public static final int RUN_FAILED = 3;

    private ExitCodes() {}
}
