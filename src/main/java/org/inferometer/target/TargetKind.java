package org.inferometer.target;

import java.util.List;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.Selection;

/// A kind of target outside this process, for the planner and the worker; `app` lists the existing ones.
public interface TargetKind {
    /// The name in selections: "http", "edgellm".
    String name();

    /// A short label: "Server (OpenAI API)".
    String label();

    /// One sentence of help.
    String help();

    /// Its options.
    List<OptionDescription> options();

    /// Faults of the given options; empty if there are none. Contacts nothing.
    List<String> faults(Selection selection);

    /// The model, for tables and folder names: its name if given, else the address. The selection has no faults.
    String model(Selection selection);

    /// The tokenizer for drawn prompts: its vocabulary bounds token ids, and its text is what the target sends. The
    /// selection has no faults.
    Tokenizer tokenizer(Selection selection);

    /// Connects to the target; the caller closes it. The selection has no faults.
    ///
    /// @throws TargetException if it cannot be reached or refuses
    Target open(Selection selection, TargetSetup setup) throws TargetException;
}
