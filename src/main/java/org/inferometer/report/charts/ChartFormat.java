package org.inferometer.report.charts;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The file formats of charts: pixels, or vectors whose text stays text.
public enum ChartFormat {
    PNG, SVG, PDF;

    /// The name and the extension of its files: "png".
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The format of that name, in any case.
    public static Optional<ChartFormat> named(String id) {
        return Arrays.stream(values()).filter(format -> format.id().equalsIgnoreCase(id)).findFirst();
    }

    /// The format that the extension of a file names.
    public static Optional<ChartFormat> of(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return dot < 0 ? Optional.empty() : named(name.substring(dot + 1));
    }
}
