package org.inferometer.ui.designer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The runs that a search for the highest load may take, wherever its border lies: it halves the loads, then repeats those on either side of
/// the border. More load is taken never to be served better, as the search takes it.
///
/// @param runsOfLoads `[borders][loads]` how often each load runs, where all below the border are served and no other is
record SearchRuns(List<int[]> runsOfLoads) {
    /// @param loads of one candidate, at least one
    /// @param repetitions of the loads on either side of the border
    static SearchRuns of(int loads, int repetitions) {
        List<int[]> all = new ArrayList<>();
        for (int border = 0; border <= loads; border++) {
            int[] runs = new int[loads];
            int served = -1;
            int unserved = loads;
            while (unserved - served > 1) {
                int probed = (served + unserved) / 2;
                runs[probed] = 1;
                if (probed < border) {
                    served = probed;
                } else {
                    unserved = probed;
                }
            }
            for (int side : new int[]{served, unserved}) {
                if (side >= 0 && side < loads) {
                    runs[side] = repetitions;
                }
            }
            all.add(runs);
        }
        return new SearchRuns(List.copyOf(all));
    }

    /// Runs where the search is shortest.
    int fewest() {
        return runsOfLoads.stream().mapToInt(runs -> Arrays.stream(runs).sum()).min().orElse(0);
    }

    /// Runs where it is longest.
    int most() {
        return runsOfLoads.stream().mapToInt(runs -> Arrays.stream(runs).sum()).max().orElse(0);
    }

    /// What the search costs where it costs least.
    ///
    /// @param costs of a run under each load
    double least(double[] costs) {
        return runsOfLoads.stream().mapToDouble(runs -> cost(runs, costs)).min().orElse(0);
    }

    /// What the search costs where it costs most.
    ///
    /// @param costs of a run under each load
    double greatest(double[] costs) {
        return runsOfLoads.stream().mapToDouble(runs -> cost(runs, costs)).max().orElse(0);
    }

    private static double cost(int[] runs, double[] costs) {
        double sum = 0;
        for (int i = 0; i < runs.length; i++) {
            sum += runs[i] * costs[i];
        }
        return sum;
    }
}
