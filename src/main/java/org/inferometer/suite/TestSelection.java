package org.inferometer.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.inferometer.suite.NameExpression.Condition;
import org.inferometer.suite.SuiteFile.TestFile;
import org.inferometer.suite.SuiteFile.TestId;
import org.inferometer.units.LetterCase;
import org.inferometer.units.NearMisses;

/// Chooses test configurations, and experiments by their names and folders.
///
/// @param type "disagg"; empty for all
/// @param category "perf"; empty for all
/// @param gpu the GPU at hand: tests that do not support it are left out; empty for all
/// @param marks condition on type and category, as pytest's `-m`
/// @param names condition on parts of the id, as pytest's `-k`
/// @param listed ids of a test list; absent for all
public record TestSelection(Optional<String> type, Optional<String> category, Optional<String> gpu,
        Optional<Condition> marks, Optional<Condition> names, Optional<Set<String>> listed) {
    private static final long LARGEST_LIST = 1 << 20;

    /// Every test.
    public static final TestSelection ALL = new TestSelection(Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.empty(), Optional.empty(), Optional.empty());

    /// Why a test is left out; empty if it is chosen.
    public Optional<String> reason(TestFile test) {
        TestId id = test.id();
        String name = LetterCase.lower(id.toString());
        List<String> supported = test.configuration().metadata().supportedGpus();
        return unless(type.map(id.type()::equals), "another type")
                .or(() -> unless(category.map(id.category()::equals), "another category"))
                .or(() -> unless(
                        marks.map(wanted -> wanted.holds(mark -> mark.equals(id.type()) || mark.equals(id.category()))),
                        "not in -m"))
                .or(() -> unless(names.map(wanted -> wanted.holds(part -> name.contains(LetterCase.lower(part)))),
                        "not in -k"))
                .or(() -> unless(listed.map(ids -> ids.contains(id.toString())), "not in the test list"))
                .or(() -> unless(gpu
                        .map(wanted -> supported.stream().map(TestSelection::folded).anyMatch(folded(wanted)::equals)),
                        "needs " + String.join(" or ", supported)));
    }

    /// Why an experiment is left out; empty if it is chosen. Its folders are its marks.
    ///
    /// @param path in the suite
    public Optional<String> reason(Path path) {
        String name = LetterCase.lower(TestId.nameOf(path.toString()));
        List<String> folders = new ArrayList<>();
        path.forEach(part -> folders.add(part.toString()));
        folders.removeLast();
        return unless(type.or(() -> category).map(wanted -> false), "no test configuration")
                .or(() -> unless(marks.map(wanted -> wanted.holds(folders::contains)), "not in -m"))
                .or(() -> unless(names.map(wanted -> wanted.holds(part -> name.contains(LetterCase.lower(part)))),
                        "not in -k"))
                .or(() -> unless(listed.map(ids -> false), "not in the test list"));
    }

    private static Optional<String> unless(Optional<Boolean> met, String reason) {
        return met.filter(chosen -> !chosen).map(leftOut -> reason);
    }

    /// "GB200" of "GB200_OCI": sites add a suffix.
    static String folded(String gpu) {
        return LetterCase.upper(gpu.strip().replaceFirst("_.*", ""));
    }

    /// The ids of a test list: one a line, alone or in the brackets of a pytest node; `#` begins a comment.
    ///
    /// @throws IOException with one sentence if it cannot be read
    public static Set<String> list(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": no such file. Give a text file with a test a line.");
        }
        if (Files.size(file) > LARGEST_LIST) {
            throw new IOException(file + ": larger than 1 MiB. Give a text file with a test a line.");
        }
        Set<String> ids = new LinkedHashSet<>();
        for (String line : Files.readAllLines(file)) {
            String entry = line.replaceFirst("(^|\\s)#.*", "").strip();
            if (!entry.isEmpty()) {
                int open = entry.indexOf('[');
                ids.add(open >= 0 && entry.endsWith("]") ? entry.substring(open + 1, entry.length() - 1) : entry);
            }
        }
        return ids;
    }

    /// Ids of the test list that no file has, each with near misses.
    public List<String> unknown(List<TestFile> tests) {
        List<String> known = tests.stream().map(test -> test.id().toString()).toList();
        List<String> faults = new ArrayList<>();
        for (String id : listed.orElse(Set.of())) {
            if (!known.contains(id)) {
                List<String> near = NearMisses.of(id, known);
                faults.add("The test list names \"" + id + "\", which no file of the suite has."
                        + (near.isEmpty() ? "" : " Did you mean " + String.join(" or ", near) + "?"));
            }
        }
        return faults;
    }
}
