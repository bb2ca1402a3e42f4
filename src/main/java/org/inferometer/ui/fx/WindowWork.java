package org.inferometer.ui.fx;

/// All background work of the window, by what it may cost an experiment that runs beside it (docs/decisions/0034).
public enum WindowWork {
    /// The window's own reading and saving, and the experiment itself. Milliseconds; not noted.
    OWN("", Weight.NONE), LIST_RESULTS("result list", Weight.LIGHT), OPEN_RESULT("open result", Weight.LIGHT),
    DELETE_RESULT("delete result", Weight.LIGHT), TIMELINE("timeline", Weight.LIGHT),
    REQUEST_TABLE("request table", Weight.LIGHT), DEFINITIONS("metric definitions", Weight.LIGHT),
    COMPARISON("comparison", Weight.LIGHT), CHART("chart", Weight.LIGHT),
    REPORT_PREVIEW("report preview", Weight.LIGHT), DEVICE_CHECK("device check", Weight.LIGHT),
    ADD_ENGINES("add engines", Weight.LIGHT), LIST_ENGINES("engine list", Weight.LIGHT),
    LIST_SUITE("suite list", Weight.LIGHT), OTHER_MACHINE("other machine", Weight.LIGHT),
    SERVER_PROBE("server probe", Weight.LIGHT),
    /// A comparison of results with many requests.
    LARGE_COMPARISON("large comparison", Weight.HEAVY), IMPORT("import", Weight.HEAVY), EXPORT("export", Weight.HEAVY),
    REPORT("report", Weight.HEAVY), BUNDLE("bundle", Weight.HEAVY), BUILD_ENGINE("build engine", Weight.HEAVY),
    VERIFY_ENGINE("verify engine", Weight.HEAVY), MEASURE_QUALITY("measure quality", Weight.HEAVY),
    TENSOR_VALUES("values of a tensor", Weight.HEAVY), TEST_PROMPT("test prompt", Weight.HEAVY),
    NOISE_CALIBRATION("noise calibration", Weight.HEAVY);

    private final String label;
    private final Weight weight;

    WindowWork(String label, Weight weight) {
        this.label = label;
        this.weight = weight;
    }

    /// What happens with work while an experiment runs.
    public enum Weight {
        /// It is done and not noted.
        NONE,
        /// It is done and noted in the run's record.
        LIGHT,
        /// The user is asked whether it waits for the end of the experiment.
        HEAVY
    }

    /// Its name in records and questions: "report".
    public String label() {
        return label;
    }

    /// What happens with it while an experiment runs.
    public Weight weight() {
        return weight;
    }
}
