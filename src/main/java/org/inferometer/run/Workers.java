package org.inferometer.run;

import java.nio.file.Path;

/// How measured runs get their processes.
///
/// @param command starts one
/// @param machineLock the same file for everything that measures on this machine; who holds it measures
public record Workers(WorkerCommand command, Path machineLock) {
    /// The workers of the running program, one experiment a machine.
    ///
    /// @param mainClass the program's main class
    public static Workers ofThisProgram(String mainClass) {
        return new Workers(WorkerCommand.ofThisProgram(mainClass),
                Path.of(System.getProperty("java.io.tmpdir"), "inferometer-measuring.lock"));
    }
}
