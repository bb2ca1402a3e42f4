package org.inferometer.suite.running;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.suite.slurm.Allocation;
import org.inferometer.suite.slurm.JobWait;

/// How the tests of a session become jobs.
///
/// @param allocation what every job requests; a test's own configuration fills what is empty
/// @param program words that start this program on a node
/// @param workspace of the program there; on a file system that the nodes share
/// @param batchSize jobs that are submitted together; 0 for all
/// @param times when to look at jobs
/// @param debugJob the framework's debug mode: nothing is submitted, and the results of this job are collected; empty for none
public record SlurmSettings(Allocation allocation, List<String> program, Path workspace, int batchSize,
        JobWait.Times times, String debugJob) {}
