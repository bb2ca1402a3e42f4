package org.inferometer.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.inferometer.experiment.PlanFault;

/// Names and paths of a result's files, checked in the plan: a name that is too long would fail when the first file is written.
final class ResultPaths {
    /// With the time before it and a number after it, the folder's name has at most 255 bytes.
    private static final int LONGEST_NAME = 200;
    /// Of the time before the name: "2026-11-21_141503_".
    private static final int STAMP_LENGTH = 18;
    private static final int LONGEST_RUN = 120;
    private static final int LONGEST_FILE = 80;

    private ResultPaths() {}

    /// The part of a folder's name that an experiment's name gives: ASCII, without a dot at its end.
    static String folderName(String experiment) {
        String name = experiment.replaceAll("[^A-Za-z0-9._-]", "-");
        int end = name.length();
        while (end > 0 && name.charAt(end - 1) == '.') {
            end--;
        }
        return name.substring(0, end);
    }

    /// A fault if the files of an experiment cannot have their names.
    ///
    /// @param results folder of results; need not exist
    static Optional<PlanFault> fault(Path results, String experiment) {
        if (experiment.length() > LONGEST_NAME) {
            return Optional.of(new PlanFault("name", "The experiment's name has " + experiment.length()
                    + " characters. At most " + LONGEST_NAME + " are allowed, as its folder has that name."));
        }
        Path existing = results.toAbsolutePath();
        while (existing != null && !Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
            existing = existing.getParent();
        }
        Path longest = results.toAbsolutePath().resolve("0".repeat(STAMP_LENGTH) + folderName(experiment))
                .resolve("r".repeat(LONGEST_RUN)).resolve("f".repeat(LONGEST_FILE));
        return existing != null && isAnswered(existing.resolve("f")) && !isAnswered(longest)
                ? Optional.of(new PlanFault("results",
                        "The paths of files in " + results
                                + " would be too long for this system. Choose a shorter workspace, folder or name."))
                : Optional.empty();
    }

    /// Whether the system says if a file exists. The limits of a path's length differ.
    private static boolean isAnswered(Path file) {
        try {
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return true;
        } catch (NoSuchFileException | NotDirectoryException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
