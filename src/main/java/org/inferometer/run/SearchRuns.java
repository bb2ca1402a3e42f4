package org.inferometer.run;

import java.util.Arrays;

/// How many runs a search for the highest load of one candidate may take.
///
/// @param loads of the candidate, at least one
/// @param repetitions of a load that is to be told
public record SearchRuns(int loads, int repetitions) {
    /// The fewest runs, which only estimate: as many as halving takes and repeating both loads at the border.
    public int fewest() {
        return Math.min(all(), halvings() + 2 * (repetitions - 1));
    }

    /// The most runs: two more loads are repeated, and a run is left for each of them.
    public int most() {
        return Math.min(all(), halvings() + 4 * repetitions);
    }

    private int halvings() {
        return 31 - Integer.numberOfLeadingZeros(loads + 1);
    }

    private int all() {
        return loads * repetitions;
    }

    /// Least cost of a search: halving asks different loads, here the cheapest.
    ///
    /// @param costs of a run at each load
    public double least(double[] costs) {
        double[] rising = Arrays.stream(costs).sorted().toArray();
        int asked = Math.min(halvings(), loads);
        return Arrays.stream(rising, 0, asked).sum() + (fewest() - asked) * rising[0];
    }

    /// Greatest cost of a search: no load runs more often than asked for.
    ///
    /// @param costs of a run at each load
    public double greatest(double[] costs) {
        return Math.min(most() * Arrays.stream(costs).max().orElse(0), repetitions * Arrays.stream(costs).sum());
    }
}
