package org.inferometer.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Takes paths, hosts and users out of text that people will pass on: a path becomes its last name, a host becomes "host".
///
/// Paths, network addresses in URLs and `name@host` are found by their form; the names of a machine and its user, which have no form,
/// must be given. Too much may go, never too little of what can be known.
public final class ShareSafeText {
    private static final Pattern URL = Pattern.compile("\\b([a-zA-Z][a-zA-Z0-9+.-]*)://[^/,\\s\"'<>)]+");
    private static final Pattern AT_HOST = Pattern.compile("\\b[\\w.+-]+@[\\w.-]+\\b");
    private static final Pattern WINDOWS_PATH = Pattern.compile("(?<![\\w])(?:[A-Za-z]:[\\\\/]|\\\\\\\\)[^\\s\"'<>|,;]+");
    private static final Pattern POSIX_PATH = Pattern.compile("(?<![\\w/.:)~<])~?(?:/[^\\s/\"'<>|,;:]+)+/?");
    private static final List<String> GENERIC = List.of("root", "user", "admin", "host", "localhost", "ubuntu", "test", "none");
    private final List<Pattern> names = new ArrayList<>();

    /// @param names of machines and users that must not appear; those under three letters or of no meaning ("root") are left alone
    public ShareSafeText(List<String> names) {
        for (String name : names) {
            String bare = name.strip();
            if (bare.length() >= 3 && !GENERIC.contains(bare.toLowerCase(Locale.ROOT))) {
                this.names.add(Pattern.compile("(?<![\\w-])" + Pattern.quote(bare) + "(?![\\w-])", Pattern.CASE_INSENSITIVE));
            }
        }
    }

    /// Finds paths, hosts and users by their form, and the names of the user and the machine that this process runs as and on.
    public static ShareSafeText ofThisMachine() {
        List<String> names = new ArrayList<>();
        for (String variable : List.of("HOSTNAME", "COMPUTERNAME", "USER", "USERNAME", "LOGNAME")) {
            String value = System.getenv(variable);
            if (value != null) {
                names.add(value);
            }
        }
        names.add(System.getProperty("user.name", ""));
        return new ShareSafeText(names);
    }

    /// The text without them.
    public String of(String text) {
        String safe = URL.matcher(text).replaceAll("$1://host");
        safe = AT_HOST.matcher(safe).replaceAll("user@host");
        safe = WINDOWS_PATH.matcher(safe).replaceAll(found -> Matcher.quoteReplacement(lastName(found.group())));
        safe = POSIX_PATH.matcher(safe).replaceAll(found -> Matcher.quoteReplacement(lastName(found.group())));
        for (Pattern name : names) {
            safe = name.matcher(safe).replaceAll("(name)");
        }
        return safe;
    }

    /// The last name of a path written for any system: "run-000" of "/home/me/results/run-000".
    static String lastName(String path) {
        String trimmed = path.replaceAll("[\\\\/]+$", "");
        int slash = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\'));
        return slash < 0 ? trimmed : trimmed.substring(slash + 1);
    }
}
