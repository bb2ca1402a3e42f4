package org.inferometer.ui.fx;

import java.util.regex.Pattern;

/// Makes texts as long as those of other languages are, still readable: shows what the layout would cut.
final class PseudoLocale {
    private static final Pattern PARAMETER = Pattern.compile("\\{\\d}");
    private static final String PLAIN = "aeiouAEIOUcnsyz";
    private static final String ACCENTED = "áéíóúÁÉÍÓÚçñšýž";
    private static final double LONGER = 0.4;

    private PseudoLocale() {}

    /// The text in brackets, with accents and 40 % longer. Parameters stay.
    static String of(String text) {
        StringBuilder made = new StringBuilder("[");
        int plain = 0;
        for (int i = 0; i < text.length(); i++) {
            char sign = text.charAt(i);
            int close = sign == '{' ? text.indexOf('}', i) : -1;
            if (close > 0 && PARAMETER.matcher(text.substring(i, close + 1)).matches()) {
                made.append(text, i, close + 1);
                i = close;
                continue;
            }
            int at = PLAIN.indexOf(sign);
            made.append(at < 0 ? sign : ACCENTED.charAt(at));
            plain++;
        }
        return made.append("~".repeat((int) Math.ceil(plain * LONGER))).append(']').toString();
    }
}
