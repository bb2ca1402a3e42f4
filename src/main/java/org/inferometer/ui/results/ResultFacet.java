package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.inferometer.ui.fx.Chips;

/// A property of results by which a list is filtered.
public enum ResultFacet {
    /// Measured here, imported, or a sample.
    ORIGIN {
        @Override
        List<String> values(ResultRow row) {
            return List.of(text(switch (row.origin()) {
                case SAMPLE -> "facet.sample";
                case ELSEWHERE -> "facet.elsewhere";
                case OWN -> row.imported() ? "facet.imported" : "facet.own";
            }));
        }
    },
    /// Grade of the verdict.
    VERDICT {
        @Override
        List<String> values(ResultRow row) {
            return List.of(row.grade().map(Chips::label).orElse(text("results.not-judged")));
        }
    },
    /// Models of the engines and servers.
    ENGINE {
        @Override
        List<String> values(ResultRow row) {
            return split(row.engines());
        }
    },
    /// Schedulers, and servers by their names.
    SCHEDULER {
        @Override
        List<String> values(ResultRow row) {
            return split(row.schedulers());
        }
    },
    /// Names of the workloads.
    WORKLOAD {
        @Override
        List<String> values(ResultRow row) {
            return row.manifest().stream().flatMap(known -> known.spec().workloads().stream()).map(load -> load.name())
                    .distinct().toList();
        }
    },
    /// Words that a person gave.
    TAG {
        @Override
        List<String> values(ResultRow row) {
            return row.notes().tags();
        }
    };

    /// Its values of a result, without repetition; none if the result has none.
    abstract List<String> values(ResultRow row);

    /// Its heading.
    String heading() {
        return text("facet." + name().toLowerCase(Locale.ROOT));
    }

    private static List<String> split(String names) {
        return Stream.of(names).filter(each -> !each.isEmpty()).flatMap(each -> Arrays.stream(each.split(", ")))
                .distinct().toList();
    }
}
