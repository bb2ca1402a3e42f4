package org.inferometer.ui.designer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The runs that a search for the highest load may take. It bisects the loads, then repeats those on either side of the
/// limit. Where these cannot tell, it repeats loads below, at worst down to the lowest.
///
/// @param runsOfLoads `[searches][loads]` runs of each load, for each limit: the shortest search and the longest
record SearchRuns(List<int[]> runsOfLoads) {
    /// @param loads of one candidate, at least one
    /// @param repetitions of the loads on either side of the limit
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
            int[] longest = runs.clone();
            for (int open = served; open > 0; open = (open - 1) / 2) {
                longest[(open - 1) / 2] = repetitions;
            }
            if (!Arrays.equals(runs, longest)) {
                all.add(longest);
            }
        }
        return new SearchRuns(List.copyOf(all));
    }

    /// Runs of the shortest search.
    int fewest() {
        return runsOfLoads.stream().mapToInt(runs -> Arrays.stream(runs).sum()).min().orElse(0);
    }

    /// Runs of the longest search.
    int most() {
        return runsOfLoads.stream().mapToInt(runs -> Arrays.stream(runs).sum()).max().orElse(0);
    }

    /// Cost of the cheapest search.
    ///
    /// @param costs of a run at each load
    double least(double[] costs) {
        return runsOfLoads.stream().mapToDouble(runs -> cost(runs, costs)).min().orElse(0);
    }

    /// Cost of the most expensive search.
    ///
    /// @param costs of a run at each load
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
