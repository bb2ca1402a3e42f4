package org.inferometer.results.exchange;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.exchange.Summary.FigureField;
import tools.jackson.databind.JsonNode;

/// What files say of speculative decoding: shares and lengths are figures, counts and positions are a note.
final class Speculation {
    /// vLLM's `spec_decode_` fields.
    static final List<FigureField> VLLM =
            List.of(new FigureField("spec_decode_acceptance_rate", Metrics.SERVER_ACCEPTANCE, 0.01),
                    new FigureField("spec_decode_acceptance_length", Metrics.SERVER_ACCEPTANCE_LENGTH, 1));

    private Speculation() {}

    /// Adds the share of accepted draft tokens; nothing without a draft.
    static void add(Summary summary, OptionalDouble accepted, OptionalDouble drafted) {
        if (accepted.isPresent() && drafted.orElse(0) > 0) {
            summary.add(Metrics.SERVER_ACCEPTANCE, accepted, 1 / drafted.getAsDouble());
        }
    }

    /// One sentence on vLLM's drafts; empty without any.
    static Optional<String> note(ForeignFields run) {
        OptionalDouble drafts = run.number("spec_decode_num_drafts");
        if (drafts.isEmpty()) {
            return Optional.empty();
        }
        String shares = run.array("spec_decode_per_position_acceptance_rates").stream().filter(JsonNode::isNumber)
                .limit(16).map(share -> String.format(Locale.ROOT, "%.1f %%", share.doubleValue() * 100))
                .collect(Collectors.joining(", "));
        return Optional.of(String.format(Locale.ROOT,
                "Speculative decoding: %.0f drafts with %s tokens, of which %s were accepted", drafts.getAsDouble(),
                run.text("spec_decode_draft_tokens", "?"), run.text("spec_decode_accepted_tokens", "?"))
                + (shares.isEmpty() ? "." : "; by position " + shares + "."));
    }
}
