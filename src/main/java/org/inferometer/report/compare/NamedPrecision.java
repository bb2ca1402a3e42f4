package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.inferometer.units.LetterCase;

/// A name without the precision that it contains: "tiny" and "int4" of "tiny-int4". Servers and files of other tools state their precision in
/// names only.
///
/// @param rest its other words; the name itself if it contains none, empty if it is nothing else
/// @param precision as engines spell it; empty if the name contains none
record NamedPrecision(String rest, String precision) {
    /// The known precisions, the widest first.
    static final List<String> KNOWN =
            List.of("fp32", "bf16", "fp16", "fp8", "mxfp8", "int8", "int4", "fp4", "nvfp4", "mxfp4");
    /// Words behind a precision that say how weights were rounded to it.
    private static final Set<String> METHODS = Set.of("awq", "gptq", "sq");

    static NamedPrecision of(String name) {
        List<String> rest = new ArrayList<>();
        String precision = "";
        for (String word : name.split("[-_ ]")) {
            String plain = LetterCase.lower(word);
            if (precision.isEmpty() && KNOWN.contains(plain)) {
                precision = plain;
            } else if (precision.isEmpty() || !METHODS.contains(plain)) {
                rest.add(word);
            }
        }
        return new NamedPrecision(precision.isEmpty() ? name : String.join("-", rest), precision);
    }
}
