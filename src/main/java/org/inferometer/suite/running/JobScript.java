package org.inferometer.suite.running;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.units.ShellWord;

/// The script of a test's job: this program runs its experiments on a node, one after another.
///
/// @param folder of the test
/// @param records places for the records of its experiments
record JobScript(SlurmSettings settings, Path folder, JobRecords records) {
    static final String NAME = "job.sh";

    /// The text; every value is one word for the shell.
    ///
    /// @param experiments names of files in the folder; their commands run in it
    String text(List<String> experiments) {
        StringBuilder script = new StringBuilder("#!/bin/sh\nset -e\n");
        script.append("cd ").append(ShellWord.quoted(folder.toString())).append('\n');
        for (String experiment : experiments) {
            List<String> words = new ArrayList<>(settings.program());
            // Experiments were approved when the session was planned.
            words.addAll(List.of("--workspace", settings.workspace().toString(), "run",
                    folder.resolve(experiment).toString(), "--out", records.folder(experiment).toString(), "--allow",
                    "program,address,secret,file"));
            script.append(ShellWord.line(words)).append('\n');
        }
        return script.toString();
    }
}
