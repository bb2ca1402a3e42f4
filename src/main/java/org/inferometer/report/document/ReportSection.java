package org.inferometer.report.document;

/// The sections of a report, in their usual order.
public enum ReportSection {
    /// The verdict, the main finding and the two charts that show it.
    ANSWER("Answer"),
    /// Other findings, and why each scheduler did as it did.
    FINDINGS("Findings"),
    /// Figures of all cells, with the definitions of their metrics.
    TABLES("Tables"),
    /// All charts but those of the answer.
    CHARTS("Charts"),
    /// Machine, software, engines and loads.
    ENVIRONMENT("Environment"),
    /// The properties of the environment in which results differ; without several results there are none.
    DIFFERENCES("Differences"),
    /// Commands that measure the same again.
    REPRODUCE("Reproduce"),
    /// Notes of runs and of the author.
    NOTES("Notes");

    private final String title;

    ReportSection(String title) {
        this.title = title;
    }

    /// The heading: "Environment".
    public String title() {
        return title;
    }
}
