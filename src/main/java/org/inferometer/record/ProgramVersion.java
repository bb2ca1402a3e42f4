package org.inferometer.record;

/// The version of this program.
public final class ProgramVersion {
    private ProgramVersion() {}

    /// The version in the program's jar; "development" when it runs from class files.
    public static String text() {
        String version = ProgramVersion.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
