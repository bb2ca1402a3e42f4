package org.inferometer.target.serve;

import org.inferometer.options.Option;
import org.inferometer.target.ServerStart.StopSignal;

/// The options of a server that Inferometer starts, besides its own and those of its API.
record ServeOptions(@Option(name = "command", standard = "",
        help = "Command line of the server, without a shell; {port} stands for the port and {model} for the model. Kinds with a command of their own take the program here, as in /opt/venv/bin/vllm serve.") String command,
        @Option(name = "arguments", standard = "", help = "Further words of its command line.") String arguments,
        @Option(name = "env", standard = "",
                help = "Variables of its environment besides those of this process, as in CUDA_VISIBLE_DEVICES=0; blanks divide, quotes keep. Recorded: keys are refused.") String env,
        @Option(name = "port", standard = "0", max = 65_535, zero = "a free one",
                help = "Port of the server.") int port,
        @Option(name = "ready", standard = "",
                help = "Path that answers with 2xx once requests can be served; default /health.") String ready,
        @Option(name = "ready_timeout", standard = "900", min = 1, max = 86_400, unit = "s",
                help = "Longest wait until it is ready.") double readySeconds,
        @Option(name = "restart", standard = "changed",
                help = "When it is started again: changed, if the next run needs another server; run, for every run.") Restart restart,
        @Option(name = "stop_signal", standard = "term", help = "Signal that asks it to end.") StopSignal stopSignal,
        @Option(name = "stop_timeout", standard = "30", min = 0, max = 3600, unit = "s",
                help = "Longest wait for its end; then it is killed.") double stopSeconds,
        @Option(name = "processes", standard = "here",
                help = "Where the command's server runs: here, so that its memory and CPU are sampled; elsewhere, as with srun, ssh or docker, where the command's own processes tell nothing of it.") Processes processes) {
    /// Where the processes of a server are.
    enum Processes {
        /// They are those of the command.
        HERE,
        /// The command only starts them.
        ELSEWHERE
    }

    /// When a server is started again.
    enum Restart {
        /// If the next run needs another one.
        CHANGED,
        /// For every run.
        RUN
    }
}
