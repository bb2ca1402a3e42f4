package org.inferometer.ui.theme;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The size of texts in the window, in per cent of the usual one.
///
/// @param percent one of [#ALL]
public record TextSize(int percent) {
    /// The usual size.
    public static final TextSize USUAL = new TextSize(100);
    /// The sizes to choose from.
    public static final List<Integer> ALL = List.of(85, 100, 115, 130, 150);

    private static final double BASE_PIXELS = 14;
    private static final double ICON_PIXELS = 18;
    private static final Pattern SIZES = Pattern.compile(
            "(-fx-(?:font|icon|cell|fixed-cell)-size: |-fx-(?:pref|min|max)-(?:height|width): )(\\d+(?:\\.\\d+)?)(?=[p; ])");

    /// The size of a number in settings; unknown ones are [#USUAL].
    public static TextSize of(String percent) {
        return ALL.stream().filter(size -> size.toString().equals(percent)).findFirst().map(TextSize::new)
                .orElse(USUAL);
    }

    /// As a share of the usual size.
    public double scale() {
        return percent / 100.0;
    }

    /// A stylesheet with its sizes of fonts and sizes of controls in proportion.
    String scaled(String stylesheet) {
        if (percent == 100) {
            return stylesheet;
        }
        String sized = SIZES.matcher(stylesheet)
                .replaceAll(size -> size.group(1) + number(Double.parseDouble(size.group(2)) * scale()));
        return icons() + sized + "\n.root { -fx-font-size: " + number(BASE_PIXELS * scale()) + "px; }\n";
    }

    /// The theme's size of icons; first, as other rules are as specific.
    private String icons() {
        return ".ikonli-font-icon { -fx-icon-size: " + number(ICON_PIXELS * scale()) + "px; }\n";
    }

    /// The address of a stylesheet that is no file.
    static String address(String stylesheet) {
        return "data:text/css;base64,"
                + Base64.getEncoder().encodeToString(stylesheet.getBytes(StandardCharsets.UTF_8));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
