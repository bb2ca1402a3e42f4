package org.inferometer.target;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/// A server that was started for a run, as its worker sees it.
///
/// @param address "http://127.0.0.1:40123"
/// @param command with which it was started
/// @param pid of its first process
/// @param keeper number of the process that started it
/// @param log full path of its output
/// @param logFrom byte of the log where this run begins
/// @param startNanos from its start until it was ready
/// @param runsBefore runs that this process has served already
/// @param processesAreHere whether the memory and CPU of its processes are the server's
public record StartedServer(@JsonProperty("address") String address, @JsonProperty("command") List<String> command,
        @JsonProperty("pid") long pid, @JsonProperty("keeper") long keeper, @JsonProperty("log") String log,
        @JsonProperty("logFrom") long logFrom, @JsonProperty("startNanos") long startNanos,
        @JsonProperty("runsBefore") int runsBefore, @JsonProperty("processesAreHere") boolean processesAreHere) {}
