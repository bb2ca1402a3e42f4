package org.inferometer.suite.running;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.inferometer.suite.slurm.Batches;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.suite.slurm.JobWait;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.ShellWord;

/// How the tests of a session become jobs.
///
/// @param allocation what every job requests; a test's own configuration fills what is empty
/// @param program words that start this program on a node
/// @param workspace of the program there; on a file system that the nodes share
/// @param batchSize jobs that are submitted together; 0 for all
/// @param times when to look at jobs
/// @param debugJob the framework's debug mode: nothing is submitted, and the results of this job are collected; empty for none
public record SlurmSettings(Allocation allocation, List<String> program, Path workspace, int batchSize,
        JobWait.Times times, String debugJob) {
    private static final String DEBUG_JOB = "908390";

    /// The settings that the environment asks for: `SLURM_PARTITION`, `SLURM_ACCOUNT`, `DISAGG_BATCH_SIZE`, `DEBUG_MODE` and
    /// `DEBUG_JOB_ID`.
    ///
    /// @param batchSize comes before the variable
    /// @throws IllegalArgumentException in a sentence if a variable is broken
    public static SlurmSettings of(EnvironmentVariables environment, OptionalInt batchSize, List<String> program,
            Path workspace) {
        // A job that shares its node measures its neighbours, too.
        Allocation allocation = new Allocation(said(environment, "SLURM_PARTITION"), said(environment, "SLURM_ACCOUNT"),
                "", 1, 1, 0, true, 0, "");
        return new SlurmSettings(allocation, program, workspace.toAbsolutePath(), Batches.size(batchSize, environment),
                JobWait.Times.DEFAULT, debugJob(environment));
    }

    private static String said(EnvironmentVariables environment, String variable) {
        return environment.value(variable).orElse("").strip();
    }

    /// The framework's debug mode: `DEBUG_MODE=1` submits nothing and collects the job `DEBUG_JOB_ID`.
    private static String debugJob(EnvironmentVariables environment) {
        String mode = said(environment, "DEBUG_MODE");
        return mode.equals("1") || mode.equalsIgnoreCase("true")
                ? environment.value("DEBUG_JOB_ID").orElse(DEBUG_JOB).strip() : "";
    }

    /// The same with what a user says; empty texts change nothing.
    public SlurmSettings requesting(String partition, String account, String time, String extra) {
        Allocation said = new Allocation(partition.isBlank() ? allocation.partition() : partition.strip(),
                account.isBlank() ? allocation.account() : account.strip(),
                time.isBlank() ? allocation.time() : time.strip(), allocation.nodes(), allocation.tasks(),
                allocation.tasksPerNode(), allocation.exclusive(), allocation.segmentNodes(),
                extra.isBlank() ? allocation.extra() : extra.strip());
        return new SlurmSettings(said, program, workspace, batchSize, times, debugJob);
    }

    /// The script of a test's job: this program runs its experiments on a node, one after another. Every value is one word for the
    /// shell.
    ///
    /// @param folder of the test; the commands run in it
    /// @param experiments names of files in the folder
    /// @param records places for their records
    String script(Path folder, List<String> experiments, JobRecords records) {
        StringBuilder script = new StringBuilder("#!/bin/sh\nset -e\n");
        script.append("cd ").append(ShellWord.quoted(folder.toString())).append('\n');
        for (String experiment : experiments) {
            List<String> words = new ArrayList<>(program);
            // Experiments were approved when the session was planned.
            words.addAll(List.of("--workspace", workspace.toString(), "run", folder.resolve(experiment).toString(),
                    "--out", records.folder(experiment).toString(), "--allow", "program,address,secret,file", "--wait",
                    "--yes"));
            script.append(ShellWord.line(words)).append('\n');
        }
        return script.toString();
    }

    /// The same with another command that starts this program on a node.
    public SlurmSettings startedBy(List<String> words) {
        return new SlurmSettings(allocation, words, workspace, batchSize, times, debugJob);
    }

    /// The same, looking at once: for jobs that have ended.
    public SlurmSettings lookingAtOnce() {
        return looking(new JobWait.Times(Duration.ZERO, times.interval(), times.timeout(), times.logInterval()));
    }

    /// The same with other times.
    public SlurmSettings looking(JobWait.Times when) {
        return new SlurmSettings(allocation, program, workspace, batchSize, when, debugJob);
    }
}
