package org.inferometer.target.edgellm;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.target.TargetException;
import org.jspecify.annotations.Nullable;

/// Options of TensorRT-Edge-LLM with everything filled in from the environment.
///
/// @param tool absolute path of the program that is run
/// @param engine absolute path of the engine's folder
/// @param workingFolder where the tool runs, since it looks for its plugin in `build` below; this process's own where it is absent
record EdgeLlmSettings(EdgeLlmOptions options, Path tool, Path engine, @Nullable Path workingFolder) {
    private static final String HOME_VARIABLE = "EDGELLM_HOME";

    /// Settings from a selection; no file is looked at.
    ///
    /// @param environment the value of a variable; absent where it is not set
    /// @throws OptionException with all faults
    static EdgeLlmSettings read(Selection selection, Function<String, Optional<String>> environment)
            throws OptionException {
        EdgeLlmOptions options = OptionRecords.read(EdgeLlmOptions.class, selection);
        List<String> faults = new ArrayList<>();
        Optional<Path> engine = Optional.empty();
        if (options.engineDir().isEmpty()) {
            faults.add(selection.name()
                    + ": engine_dir is missing; give the folder that llm_build wrote, with config.json.");
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
        return new EdgeLlmSettings(options, tool.orElseThrow(), engine.orElseThrow(), home.orElse(null));
    }

    /// What tables and folders call it.
    String label() {
        Path folder = engine.getFileName();
        return !options.model().isEmpty() ? options.model() : folder == null ? engine.toString() : folder.toString();
    }

    /// Looks whether the files are there.
    ///
    /// @throws TargetException in one sentence when the tool or the engine cannot be used
    void requireFiles() throws TargetException {
        if (!Files.isRegularFile(tool)) {
            throw new TargetException("There is no program at " + tool
                    + "; build TensorRT-Edge-LLM, or give the path of " + options.mode().program() + " as binary=.");
        }
        if (!Files.isExecutable(tool)) {
            throw new TargetException(tool + " cannot be executed; set its permission with chmod +x.");
        }
        if (!Files.isDirectory(engine)) {
            throw new TargetException("The engine's folder " + engine + " does not exist; build it with llm_build.");
        }
        if (!Files.isRegularFile(engine.resolve("config.json"))) {
            throw new TargetException(engine
                    + " holds no config.json, so it is no engine of TensorRT-Edge-LLM; give the folder that llm_build wrote.");
        }
    }

    /// An absolute path. The shape of an option of the tool is refused, though no shell and no option parser ever sees it as given.
    private static Optional<Path> path(Selection selection, String what, String text, List<String> faults) {
        if (text.startsWith("-")) {
            faults.add(selection.name() + ": " + what + "=" + text
                    + " looks like an option of a program; give a path, such as ./" + text + ".");
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(text).toAbsolutePath().normalize());
        } catch (InvalidPathException e) {
            faults.add(selection.name() + ": " + what + "=" + text + " is no path: " + e.getReason() + ".");
            return Optional.empty();
        }
    }
}
