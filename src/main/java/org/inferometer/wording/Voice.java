package org.inferometer.wording;

import org.inferometer.finding.Advice;

/// Who says a sentence: each names what it advises by actions and settings of its own.
public enum Voice {
    /// The command line; records and reports speak as it does.
    COMMAND_LINE,
    /// The window.
    WINDOW;

    /// The words inside a sentence; those of a self-check are one.
    public String words(Advice advice) {
        return switch (advice) {
            case Advice.Action.SELF_CHECK ->
                either("Run selfcheck once on this machine.", "Calibrate this machine once in Devices.");
            case Advice.Action.AGAINST -> either("(run --against)", "(both chosen in the designer)");
            case Advice.Action.VARIATION -> either("(selfcheck --aa)", "(Calibrate in Devices)");
            case Advice.Action.RATE -> either("(--rate, or requests a second)", "(Arrivals in the designer)");
            case Advice.Action.QUALITY -> either("(see engines quality)", "(Quality in Engines)");
            case Advice.Action.DELETE_KEPT -> either("with \"inferometer results prune --yes\"", "in Engines");
            case Advice.Build(var engine) -> either("with \"inferometer engines build " + engine + "\"", "in Engines");
            case Advice.Setting(var option, var label) -> either(option, "“" + label + "”");
        };
    }

    private String either(String commandLine, String window) {
        return switch (this) {
            case COMMAND_LINE -> commandLine;
            case WINDOW -> window;
        };
    }
}
