package org.inferometer.target;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How a server is started, found ready and stopped. Two equal starts give the same server.
///
/// @param command the program and its arguments, in which [#PORT] stands for the port
/// @param variables added to its environment
/// @param port 0 for a free one
/// @param readyPath answers with 2xx once requests can be served: "/health"
/// @param readyTimeout longest wait for it
/// @param stopTimeout longest wait for its end before it is killed
/// @param freshForEachRun whether it is started again for every run
/// @param processesAreHere whether the memory and CPU of the command's processes are the server's
public record ServerStart(List<String> command, Map<String, String> variables, int port, String readyPath,
        Duration readyTimeout, StopSignal stopSignal, Duration stopTimeout, boolean freshForEachRun,
        boolean processesAreHere) {
    /// Stands for the port in a command.
    public static final String PORT = "{port}";

    public ServerStart {
        command = List.copyOf(command);
        variables = Map.copyOf(variables);
    }

    /// The signal that asks a server to end.
    public enum StopSignal {
        TERM, INT
    }

    /// The command for a port.
    public List<String> commandAt(int chosen) {
        return command.stream().map(word -> word.replace(PORT, Integer.toString(chosen))).toList();
    }

    /// Variables and command as a shell would take them: `A=b vllm serve 'my model'`.
    public String commandLine() {
        return Stream.concat(
                new TreeMap<>(variables).entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + quoted(variable.getValue())),
                command.stream().map(ServerStart::quoted)).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return !word.isEmpty() && word.chars().noneMatch(c -> c == ' ' || c == '\'') ? word
                : "'" + word.replace("'", "'\\''") + "'";
    }

    /// The program's name for messages: "vllm".
    public String program() {
        String first = command.getFirst();
        return first.substring(Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\')) + 1);
    }

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
}
