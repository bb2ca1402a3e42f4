package org.inferometer.target.http;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.inferometer.options.Selection;
import org.inferometer.units.Seed;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import tools.jackson.databind.node.ObjectNode;

/// Kinds of requests with shares: `mix.sql=0.3,mix.sql.model=sql-lora,mix.json=0.7,mix.json.body.PATH=JSON`.
///
/// A request's kind depends on its number and its drawn prompt alone, so equal loads are divided alike, and other targets get the same
/// division. All turns of a session are of one kind.
final class RequestMix {
    static final String PREFIX = "mix.";
    private static final String MODEL = ".model";
    private static final String BODY = ".body.";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,40}");
    private static final double MOST_SHARE = 1e6;
    private static final int MOST = 100;
    private final List<Variant> variants;
    private byte[] chosen = {}; // by request, from 1; 0 where none is chosen yet

    /// A kind of request.
    ///
    /// @param share weight among the kinds
    /// @param model requested; empty for the usual one
    /// @param body fields that the user adds to all requests and to this kind
    record Variant(String name, double share, String model, ObjectNode body) {}

    RequestMix(List<Variant> variants) {
        this.variants = List.copyOf(variants);
    }

    /// Reads the options of a selection.
    ///
    /// @param common fields of all requests
    /// @param value the text that is sent for a written value
    /// @param faults gets a sentence for each option that cannot be used
    static List<Variant> read(Selection selection, ObjectNode common, Function<String, String> value,
            List<String> faults) {
        Map<String, Variant> variants = new LinkedHashMap<>();
        // Shares first: the other options of a kind may stand before its share.
        for (boolean shares : new boolean[]{true, false}) {
            selection.options().forEach((option, written) -> {
                String rest = option.startsWith(PREFIX) ? option.substring(PREFIX.length()) : "";
                if (!rest.isEmpty() && shares == (rest.indexOf('.') < 0)) {
                    try {
                        variants.merge(rest.split("\\.", 2)[0], read(rest, written, common, value, variants),
                                (before, after) -> after);
                    } catch (IllegalArgumentException e) {
                        faults.add(selection.name() + ": " + option + ": " + e.getMessage());
                    }
                }
            });
        }
        return List.copyOf(variants.values());
    }

    /// The kind that an option begins or completes.
    private static Variant read(String rest, String written, ObjectNode common, Function<String, String> value,
            Map<String, Variant> variants) {
        int dot = rest.indexOf('.');
        if (dot < 0) {
            require(NAME.matcher(rest).matches(), "this is no name.");
            double share = share(written);
            require(variants.size() < MOST, "there are more than " + MOST + " kinds.");
            require(share > 0 && share <= MOST_SHARE, "a share is a number above 0, such as 0.3.");
            return new Variant(rest, share, "", common.deepCopy());
        }
        String name = rest.substring(0, dot);
        Variant variant = variants.get(name);
        if (variant == null) {
            throw new IllegalArgumentException("this kind has no share. Add mix." + name + "=1.");
        }
        if (rest.substring(dot).equals(MODEL)) {
            return new Variant(name, variant.share, written, variant.body);
        }
        require(rest.startsWith(BODY, dot), "a kind has model and body.PATH.");
        RequestExtras.put(variant.body, rest.substring(dot + BODY.length()), written, value.apply(written));
        return variant;
    }

    private static double share(String written) {
        try {
            return Double.parseDouble(written);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /// The kind of a request; a later turn has that of the turn before.
    Variant of(Request request) {
        int id = request.id().index();
        if (id >= chosen.length) {
            chosen = Arrays.copyOf(chosen, Math.max(id + 1, 2 * chosen.length));
        }
        if (chosen[id] == 0) {
            chosen[id] = (byte) (1 + (request.arrival() instanceof Arrival.AfterTurn(RequestId previous, long _)
                    ? chosen[previous.index()] - 1 : drawn(request)));
        }
        return variants.get(chosen[id] - 1);
    }

    private int drawn(Request request) {
        double all = variants.stream().mapToDouble(Variant::share).sum();
        double left = new Seed(Arrays.hashCode(request.promptTokens())).part("mix").part(request.id().index())
                .generator().nextDouble() * all;
        int kind = 0;
        while (kind < variants.size() - 1 && left >= variants.get(kind).share) {
            left -= variants.get(kind++).share;
        }
        return kind;
    }
}
