package org.inferometer.target.edgellm;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.target.TargetException;
import org.jspecify.annotations.Nullable;

/// TensorRT-Edge-LLM options completed from the environment.
///
/// @param tool absolute path of the program
/// @param engine absolute path of the engine folder
/// @param workingFolder of the tool, which looks for its plugin in `build` below; absent for this process's own
/// @param variables names of the environment variables that were used
record EdgeLlmSettings(EdgeLlmOptions options, Path tool, Path engine, @Nullable Path workingFolder,
        List<String> variables) {
    private static final String HOME_VARIABLE = "EDGELLM_HOME";
    /// Read by the tool itself, which inherits it.
    private static final String PLUGIN_VARIABLE = "EDGELLM_PLUGIN_PATH";

    /// Reads a selection; accesses no file.
    ///
    /// @param environment value of a variable; absent if it is not set
    /// @throws OptionException with all faults
    static EdgeLlmSettings read(Selection selection, Function<String, Optional<String>> environment)
            throws OptionException {
        EdgeLlmOptions options = OptionRecords.read(EdgeLlmOptions.class, selection);
        List<String> faults = new ArrayList<>();
        Optional<Path> engine = Optional.empty();
        if (options.engineDir().isEmpty()) {
            faults.add(selection.name() + ": engine_dir is missing. Give the folder of llm_build, with config.json.");
        } else {
            engine = path(selection, "engine_dir", options.engineDir(), faults);
        }
        Optional<Path> home = environment.apply(HOME_VARIABLE).map(String::strip).filter(value -> !value.isEmpty())
                .flatMap(value -> path(selection, HOME_VARIABLE, value, faults));
        Optional<Path> tool = options.binary().isEmpty() ? home.map(
                folder -> folder.resolve("build").resolve("examples").resolve("llm").resolve(options.mode().program()))
                : path(selection, "binary", options.binary(), faults);
        if (tool.isEmpty() && options.binary().isEmpty()
                && faults.stream().noneMatch(fault -> fault.contains(HOME_VARIABLE))) {
            faults.add(selection.name() + ": give binary=, the path of " + options.mode().program() + ", or set "
                    + HOME_VARIABLE + " to the folder of TensorRT-Edge-LLM.");
        }
        if (!faults.isEmpty()) {
            throw new OptionException(faults);
        }
        return new EdgeLlmSettings(options, tool.orElseThrow(), engine.orElseThrow(), home.orElse(null),
                Stream.of(HOME_VARIABLE, PLUGIN_VARIABLE)
                        .filter(name -> environment.apply(name).filter(value -> !value.isBlank()).isPresent())
                        .toList());
    }

    /// The name for tables and folders.
    String label() {
        Path folder = engine.getFileName();
        return !options.model().isEmpty() ? options.model() : folder == null ? engine.toString() : folder.toString();
    }

    /// Checks that the files exist.
    ///
    /// @throws TargetException if the tool or the engine cannot be used
    void requireFiles() throws TargetException {
        if (!Files.isRegularFile(tool)) {
            throw new TargetException("There is no program at " + tool
                    + ". Build TensorRT-Edge-LLM, or give the path of " + options.mode().program() + " as binary=.");
        }
        if (!Files.isExecutable(tool)) {
            throw new TargetException(tool + " is not executable. Set its permission with chmod +x.");
        }
        if (!Files.isDirectory(engine)) {
            throw new TargetException("The engine folder " + engine + " does not exist. Build it with llm_build.");
        }
        if (!Files.isRegularFile(engine.resolve("config.json"))) {
            throw new TargetException(engine + " has no config.json. Give the folder of llm_build.");
        }
    }

    /// An absolute path. Values like options are refused as a precaution.
    private static Optional<Path> path(Selection selection, String what, String text, List<String> faults) {
        if (text.startsWith("-")) {
            faults.add(selection.name() + ": " + what + "=" + text + " looks like an option. Give a path, such as ./"
                    + text + ".");
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(text).toAbsolutePath().normalize());
        } catch (InvalidPathException e) {
            faults.add(selection.name() + ": " + what + "=" + text + " is not a valid path: " + e.getReason() + ".");
            return Optional.empty();
        }
    }
}
