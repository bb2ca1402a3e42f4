package org.inferometer.remote;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.options.Selection;
import org.inferometer.units.NearMisses;
import org.inferometer.units.ShellWord;

/// Another machine with this program, reached by the system's ssh. Written `ssh:HOST`, `ssh:HOST,command=/opt/inferometer/bin/inferometer`.
///
/// @param host a name of ssh's configuration, a host name, an address, or user@host
/// @param port empty for ssh's own
/// @param command the program there: a path, or a name on the PATH of a login without terminal
/// @param workspace folder there; empty for the program's own
/// @param config file of ssh's options here; empty for the user's
public record SshHost(String host, Optional<Integer> port, String command, Optional<String> workspace,
        Optional<String> config) {
    private static final String PREFIX = "ssh:";
    private static final List<String> OPTIONS = List.of("port", "command", "workspace", "config");
    private static final String STANDARD_COMMAND = "inferometer";
    private static final String SHELL = "/bin/sh";
    private static final int CONNECT_SECONDS = 15;
    private static final int ALIVE_SECONDS = 15;
    private static final int MISSED = 4;

    /// Reads an option's value.
    ///
    /// @throws IllegalArgumentException in one sentence if it names no host, or an unknown option
    public static SshHost parse(String text) {
        if (!text.startsWith(PREFIX) || text.length() == PREFIX.length()) {
            throw new IllegalArgumentException("\"" + text + "\" names no machine. Write ssh:HOST.");
        }
        Map<String, String> options = Selection.parse("ssh:host=" + text.substring(PREFIX.length())).options();
        for (String name : options.keySet()) {
            if (!name.equals("host") && !OPTIONS.contains(name)) {
                throw new IllegalArgumentException(NearMisses.sentence("option of ssh", name, OPTIONS));
            }
        }
        String host = options.getOrDefault("host", "");
        // ssh takes a word that begins with a hyphen for an option, which may name a program.
        if (!host.matches(
                "([A-Za-z0-9_][A-Za-z0-9._-]*@)?([A-Za-z0-9_][A-Za-z0-9._-]*|\\[?[0-9a-fA-F:]+(%[A-Za-z0-9]+)?]?)")) {
            throw new IllegalArgumentException(
                    "\"" + host + "\" is no name of a machine. Write ssh:HOST or ssh:USER@HOST.");
        }
        return new SshHost(host, Optional.ofNullable(options.get("port")).map(SshHost::portOf),
                options.getOrDefault("command", STANDARD_COMMAND), Optional.ofNullable(options.get("workspace")),
                Optional.ofNullable(options.get("config")));
    }

    private static int portOf(String text) {
        if (!text.matches("\\d{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > 65535) {
            throw new IllegalArgumentException("The port \"" + text + "\" is no number from 1 to 65535.");
        }
        return Integer.parseInt(text);
    }

    /// For tables and messages: "ssh:gpu1".
    public String text() {
        return PREFIX + host;
    }

    /// With everything that says which program runs there, as [#parse] takes it: "ssh:gpu1,port=2222".
    public String written() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("host", host);
        port.ifPresent(number -> options.put("port", String.valueOf(number)));
        if (!command.equals(STANDARD_COMMAND)) {
            options.put("command", command);
        }
        workspace.ifPresent(folder -> options.put("workspace", folder));
        config.ifPresent(file -> options.put("config", file));
        return new Selection("ssh", options).toString().replaceFirst("host=", "");
    }

    /// The command line that starts the other side. The login shell there sees quoted words.
    ///
    /// Ctrl+C goes to all processes of a terminal; ssh must live until it has passed the end of the experiment on.
    List<String> commandLine() {
        List<String> line = new ArrayList<>();
        if (Files.isExecutable(Path.of(SHELL))) {
            line.addAll(List.of(SHELL, "-c", "trap '' INT; exec \"$@\"", "sh"));
        }
        line.addAll(List.of("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=" + CONNECT_SECONDS, "-o",
                "ServerAliveInterval=" + ALIVE_SECONDS, "-o", "ServerAliveCountMax=" + MISSED));
        config.ifPresent(file -> line.addAll(List.of("-F", file)));
        port.ifPresent(number -> line.addAll(List.of("-p", String.valueOf(number))));
        List<String> remote = new ArrayList<>(List.of(command));
        workspace.ifPresent(folder -> remote.addAll(List.of("--workspace", folder)));
        remote.add("remote");
        line.addAll(List.of("--", host, ShellWord.line(remote)));
        return line;
    }
}
