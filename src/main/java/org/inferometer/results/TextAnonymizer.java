package org.inferometer.results;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.PlannedSubject.PlannedTarget;
import org.inferometer.record.RunPlan;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FileName;
import org.inferometer.units.LetterCase;
import org.inferometer.units.LinearPatterns;

/// Removes paths, hosts and users from text: a path becomes its last name, a host becomes "host".
///
/// Paths (blanks allowed in folders), network addresses and `name@host` are found by their form; names of machine and user must be given. When
/// in doubt, text is removed.
@LinearPatterns("A pattern is a fixed text, and what must not stand beside it.")
public final class TextAnonymizer {
    /// Of web addresses the path of an API is kept ("/v1/chat/completions"), of others nothing.
    private static final Pattern URL = Pattern.compile("\\b([a-zA-Z][a-zA-Z0-9+.-]{0,40})://"
            + "(?:(?<=https?://)[^/,\\s\"'<>)]+(/v\\d(?:/[a-z_]{1,30}){0,2}))?[^,\\s\"'<>)]*+");
    /// What names of hosts are made of, in any script.
    private static final String LETTER = "\\-\\p{L}\\p{M}\\p{N}_";
    private static final Pattern TARGET_HOST =
            Pattern.compile("^(?:[a-zA-Z]{1,8}://)?(?:[^/@]{0,200}@)?([" + LETTER + ".]+)(?::\\d{2,5}\\b)?");
    private static final Set<String> ADDRESS_OPTIONS = Set.of("url", "host", "address", "endpoint", "server");
    private static final Pattern AT_HOST =
            Pattern.compile("(?<![" + LETTER + ".+])[" + LETTER + ".+]+@[" + LETTER + ".]+\\b");
    /// Endings of files: ":number" behind them is a line, and two dots before them make no host.
    private static final Set<String> FILES = Set.of("bin", "c", "cc", "cfg", "cpp", "csv", "cu", "cuh", "gguf", "go",
            "gz", "h", "hpp", "html", "java", "js", "json", "jsonl", "log", "md", "onnx", "png", "pt", "py", "rs",
            "safetensors", "sh", "so", "svg", "tmp", "toml", "ts", "txt", "xml", "yaml", "yml", "zip");
    private static final Pattern ADDRESS_6 = Pattern.compile(
            "\\[[0-9a-fA-F:.]{0,45}:[0-9a-fA-F:.]{0,45}(?:%\\w{1,15})?](?::\\d{1,5})?|(?<![\\w:.])(?=[0-9a-fA-F]|::[0-9a-fA-F])"
                    + "(?:(?:[0-9a-fA-F]{1,4}:){7}|(?:[0-9a-fA-F]{1,4}:){0,6}:)[0-9a-fA-F:.]{0,45}(?:%\\w{1,15})?");
    private static final Pattern ADDRESS = Pattern.compile("\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5})?\\b");
    private static final Pattern VERSION = Pattern.compile("\\d\\.\\d");
    private static final int MANY_DIGITS = 4;
    private static final int MOST_DIGITS = 5;
    private static final Pattern WINDOWS_ROOT = Pattern
            .compile("(?<![\\w])(?:[A-Za-z]:[\\\\/]|\\\\\\\\)|(?<![\\w\\\\])\\\\(?=[\\p{L}\\p{N}_. -]{2,64}\\\\)");
    private static final Pattern POSIX_ROOT =
            Pattern.compile("(?<![\\w/.)~<])(?:~(?:[A-Za-z_][\\w.-]{0,63})?)?/(?!/)|(?<![\\w/.)~<:])//+|"
                    // No end of an element
                    + "(?<=<)/+(?![\\w:-]{0,40}>)|(?<![\\w/.])\\.\\./|/(?:home|Users)/"
                    // As in -L/data
                    + "|(?<=^-[A-Za-z]|[\\s\"'=,(]-[A-Za-z])/");
    private static final String NO_NAME = "\\/\"'<>|,;: \t\n\u000b\f\r";
    private static final Pattern HOME = Pattern.compile("(?:[A-Za-z]:)?[\\\\/](?:home|Users)[\\\\/][^\\\\/]+[\\\\/]?");
    private static final List<String> GENERIC =
            List.of("root", "user", "admin", "host", "localhost", "ubuntu", "test", "none");
    /// Changes nothing.
    public static final TextAnonymizer EXACT = new TextAnonymizer(List.of(), UnaryOperator.identity(), true);
    private final List<Pattern> names = new ArrayList<>();
    private final UnaryOperator<String> mask;
    private final boolean exact;

    /// @param names of machines and users to remove; ignores those below three letters and generic ones ("root")
    public TextAnonymizer(List<String> names) {
        this(names, UnaryOperator.identity(), false);
    }

    private TextAnonymizer(List<String> names, UnaryOperator<String> mask, boolean exact) {
        this.mask = mask;
        this.exact = exact;
        for (String name : names) {
            String bare = name.strip();
            if (bare.length() >= 3 && !GENERIC.contains(LetterCase.lower(bare))) {
                this.names.add(Pattern.compile("(?<![\\p{L}\\d])" + Pattern.quote(bare) + "(?![\\p{L}\\d])",
                        Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE));
            }
        }
    }

    /// Removes the user of this process, this machine and the secrets of the `.env` file too.
    public static TextAnonymizer ofThisMachine(EnvironmentVariables environment) {
        List<String> names = new ArrayList<>();
        for (String variable : List.of("HOSTNAME", "COMPUTERNAME", "USER", "USERNAME", "LOGNAME")) {
            environment.value(variable).ifPresent(names::add);
        }
        names.add(System.getProperty("user.name", ""));
        return new TextAnonymizer(names, environment.mask(), false);
    }

    /// The same, which removes the hosts of the targets of experiments too, also where they are one word.
    public TextAnonymizer with(Collection<ExperimentRecord> experiments) {
        if (exact) {
            return this;
        }
        List<String> hosts = experiments.stream().flatMap(each -> each.manifest().plan().stream()).map(RunPlan::subject)
                .filter(PlannedTarget.class::isInstance).map(PlannedTarget.class::cast)
                .flatMap(each -> each.target().options().entrySet().stream())
                .flatMap(option -> host(option.getKey(), option.getValue()).stream()).distinct().toList();
        TextAnonymizer all = new TextAnonymizer(hosts, mask, false);
        all.names.addAll(names);
        return all;
    }

    /// What is removed from texts.
    public enum Removed {
        SECRET("values of the .env file"), ADDRESS("addresses"), PATH("paths"), NAME("names of users and machines");

        private final String label;

        Removed(String label) {
            this.label = label;
        }

        /// "names of users and machines".
        public String label() {
            return label;
        }
    }

    /// Whether it changes nothing.
    public boolean isExact() {
        return exact;
    }

    /// The text without paths, hosts and users.
    public String of(String text) {
        return of(text, kind -> {});
    }

    /// The same, and what was removed.
    ///
    /// @param found gets each kind at most once
    public String of(String text, Consumer<Removed> found) {
        if (exact) {
            return text;
        }
        String masked = changed(text, mask.apply(text), Removed.SECRET, found);
        // A search for what cannot be there takes time too.
        String safe = masked.contains("://") ? URL.matcher(masked).replaceAll("$1://host$2") : masked;
        safe = safe.indexOf('@') < 0 ? safe : AT_HOST.matcher(safe).replaceAll("user@host");
        safe = safe.indexOf(':') < 0 ? safe : ADDRESS_6.matcher(safe).replaceAll("host");
        safe = safe.indexOf('.') < 0 ? safe : ADDRESS.matcher(safe).replaceAll("host");
        safe = changed(masked, withoutHosts(safe), Removed.ADDRESS, found);
        String bare = safe.indexOf('\\') < 0 && !safe.contains(":/") ? safe : withoutPaths(WINDOWS_ROOT, safe);
        bare = changed(safe, bare.indexOf('/') < 0 ? bare : withoutPaths(POSIX_ROOT, bare), Removed.PATH, found);
        String named = bare;
        for (Pattern name : names) {
            named = name.matcher(named).replaceAll("(name)");
        }
        return changed(bare, named, Removed.NAME, found);
    }

    /// The host that an option of a target gives, with or without a scheme.
    private static Optional<String> host(String option, String value) {
        Matcher address = TARGET_HOST.matcher(value);
        return address.find()
                && (ADDRESS_OPTIONS.contains(option) || value.contains("://") || address.end() > address.end(1))
                        ? Optional.of(address.group(1)) : Optional.empty();
    }

    private static String withoutHosts(String text) {
        StringBuilder without = new StringBuilder();
        int copied = 0;
        for (int at = 0, end; at < text.length(); at = end + 1) {
            end = at;
            int dots = 0;
            while (end < text.length() && (text.charAt(end) == '.' || isOfHost(text.charAt(end)))) {
                dots = text.charAt(end++) == '.' ? dots + 1 : 0;
            }
            int port = end;
            while (dots == 0 && end < text.length() && text.charAt(end) == ':' && port < text.length() - 1
                    && port - end < MOST_DIGITS && Character.isDigit(text.charAt(port + 1))) {
                port++;
            }
            boolean hasPort = port - end > 1 && (port + 1 == text.length() || !isOfHost(text.charAt(port + 1)));
            if (end - dots > at && isHost(text.substring(at, end - dots), hasPort ? port - end : 0)) {
                without.append(text, copied, at).append("host");
                end = hasPort ? port + 1 : end - dots;
                copied = end;
            }
        }
        return without.append(text, copied, text.length()).toString();
    }

    private static boolean isOfHost(char c) {
        return c == '-' || c == '_' || Character.isLetterOrDigit(c) || Character.isSurrogate(c)
                || Character.getType(c) == Character.NON_SPACING_MARK;
    }

    /// Two names with a port, or three; of one name with a port of four digits. Files with lines, versions, abbreviations and classes are
    /// none.
    ///
    /// @param port how many digits it has
    private static boolean isHost(String word, int port) {
        if (port == 0 && word.indexOf('.', word.indexOf('.') + 1) < 0) {
            return false;
        }
        List<String> parts = Arrays.stream(word.split("\\.+")).filter(part -> !part.isEmpty()).toList();
        String name = String.join(".", parts);
        String last = parts.getLast();
        boolean file = FILES.contains(LetterCase.lower(last));
        if (parts.size() == 1) {
            return port >= MANY_DIGITS && name.chars().anyMatch(Character::isLetter);
        } else if (!Character.isLetter(last.codePointAt(0)) || last.indexOf('_') >= 0) {
            return false;
        } else if (port > 0) {
            return !file || (parts.size() > 2 && port >= MANY_DIGITS);
        }
        boolean words = parts.size() > 2 && !file && parts.stream().anyMatch(part -> part.length() > 1);
        boolean ofClass = Character.isUpperCase(last.codePointAt(0)) && last.chars().anyMatch(Character::isLowerCase)
                && !Character.isUpperCase(name.codePointAt(0));
        boolean ofVersion = VERSION.matcher(name).find()
                && !(Character.isLetter(name.codePointAt(0)) && last.chars().allMatch(Character::isLetter));
        return words && !ofClass && !ofVersion;
    }

    private static String withoutPaths(Pattern root, String text) {
        StringBuilder without = new StringBuilder();
        Matcher begin = root.matcher(text);
        int from = 0;
        while (begin.find(from)) {
            int end = pathEnd(text, begin.end());
            without.append(text, from, begin.start()).append(shortened(text.substring(begin.start(), end)));
            from = end;
        }
        return without.append(text, from, text.length()).toString();
    }

    /// Where a path ends of which a folder or the last name begins at a place. Names of folders may have blanks. No pattern: Java repeats
    /// a group with its stack, which a long path exhausts.
    private static int pathEnd(String text, int from) {
        int begin = from;
        while (true) {
            int end = nameEnd(text, begin);
            while (end > begin && end < text.length() && text.charAt(end) == ' ' && nameEnd(text, end + 1) > end + 1) {
                end = nameEnd(text, end + 1);
            }
            if (end == begin || end == text.length() || "\\/".indexOf(text.charAt(end)) < 0) {
                return nameEnd(text, begin);
            }
            begin = end + 1;
            while (begin < text.length() && "\\/".indexOf(text.charAt(begin)) >= 0) {
                begin++;
            }
        }
    }

    private static int nameEnd(String text, int from) {
        int end = from;
        while (end < text.length() && (NO_NAME.indexOf(text.charAt(end)) < 0 || isApostrophe(text, end))) {
            end++;
        }
        return end;
    }

    private static boolean isApostrophe(String text, int at) {
        return text.charAt(at) == '\'' && at > 0 && at + 1 < text.length()
                && Character.isLetterOrDigit(text.charAt(at - 1)) && Character.isLetter(text.charAt(at + 1));
    }

    private static String changed(String before, String after, Removed kind, Consumer<Removed> found) {
        if (!before.equals(after)) {
            found.accept(kind);
        }
        return after;
    }

    /// The last name of a path; "~" for a home folder, and slashes alone.
    private static String shortened(String path) {
        return HOME.matcher(path).matches() ? "~" : path.chars().allMatch(c -> c == '/') ? path : FileName.last(path);
    }
}
