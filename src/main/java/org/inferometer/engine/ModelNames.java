package org.inferometer.engine;

/// What names of models and engines look like: fit for folder names, file names and options on every system.
final class ModelNames {
    static final String PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";
    static final String EXPECTED = "a name of letters, digits, dots, dashes and underscores";

    private ModelNames() {}
}
