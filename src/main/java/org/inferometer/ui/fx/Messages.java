package org.inferometer.ui.fx;

import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.regex.Pattern;

/// Texts of the window, from the message bundle.
///
/// Numbers are formatted by the caller.
public final class Messages {
    private static final ResourceBundle BUNDLE =
            ResourceBundle.getBundle("org.inferometer.ui.messages", Locale.ENGLISH);

    /// For tests of the layout: texts become 40 % longer and get accents.
    private static final boolean PSEUDO = Boolean.getBoolean("inferometer.pseudo-locale");

    private Messages() {}

    /// The text of a key, with `{0}`, `{1}`, ... replaced.
    ///
    /// @throws java.util.MissingResourceException when there is no such key
    public static String text(String key, Object... values) {
        String pattern = PSEUDO ? PseudoLocale.of(BUNDLE.getString(key)) : BUNDLE.getString(key);
        if (values.length == 0) {
            return pattern;
        }
        Object[] words = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            words[i] = String.valueOf(values[i]);
        }
        return MessageFormat.format(pattern.replace("'", "''"), words);
    }

    /// The text for a count: key + ".one" or key + ".other", with the count as `{0}` and the values as `{1}`, ...
    public static String counted(String key, long count, Object... values) {
        Object[] all = new Object[values.length + 1];
        all[0] = count;
        System.arraycopy(values, 0, all, 1, values.length);
        return text(key + (count == 1 ? ".one" : ".other"), all);
    }

    /// Makes texts as long as those of other languages are, still readable: shows what the layout would cut.
    static final class PseudoLocale {
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
}
