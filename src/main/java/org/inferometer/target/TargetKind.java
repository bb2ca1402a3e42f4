package org.inferometer.target;

import java.util.List;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.Selection;

/// A kind of target outside this process, as the planner and the worker know it; `app` hands in those that exist.
public interface TargetKind {
    /// "http", "edgellm".
    String name();

    /// What it is, in a few words: "Server (OpenAI API)".
    String label();

    /// What it is, in one sentence.
    String help();

    /// Its options.
    List<OptionDescription> options();

    /// What is wrong with the options given, one sentence each; empty when all is well. Nothing is contacted.
    List<String> faults(Selection selection);

    /// What it serves, for tables and folder names: the model's name where it was given, else the place. The selection has no faults.
    String model(Selection selection);

    /// Draws prompts for it: its vocabulary bounds the token ids, and its texts are what the target sends. The selection has no faults.
    Tokenizer tokenizer(Selection selection);

    /// Reaches the target; the caller closes it. The selection has no faults.
    ///
    /// @throws TargetException in one sentence with a way out, when it cannot be reached or refuses
    Target open(Selection selection, TargetSetup setup) throws TargetException;
}
