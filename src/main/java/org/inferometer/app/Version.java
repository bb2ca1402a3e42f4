package org.inferometer.app;

/// The program's version, from its jar; "development" when it runs from classes.
final class Version {
    private Version() {}

    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
