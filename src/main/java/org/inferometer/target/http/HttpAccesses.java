package org.inferometer.target.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.options.Access;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;

/// What the options of a server use that their writer chose.
final class HttpAccesses {
    private HttpAccesses() {}

    /// Addresses that the user's own environment gives are not listed.
    static List<Access> of(Selection selection) throws OptionException {
        HttpOptions options = OptionRecords.read(HttpOptions.class, RequestExtras.without(selection));
        List<Access> accesses = new ArrayList<>();
        if (!options.url().isEmpty()) {
            address(options.url(), accesses);
        }
        Stream.of(options.metrics(), options.gpuMetrics()).filter(each -> !Set.of("auto", "off", "").contains(each))
                .forEach(each -> address(each, accesses));
        if (!options.apiKeyEnv().isEmpty()) {
            accesses.add(new Access(Access.Kind.SECRET, options.apiKeyEnv()));
        }
        RequestExtras.variables(selection).forEach(variable -> accesses.add(new Access(Access.Kind.SECRET, variable)));
        if (!options.caFile().isEmpty()) {
            accesses.add(new Access(Access.Kind.FILE, options.caFile()));
        }
        return accesses;
    }

    private static void address(String text, List<Access> accesses) {
        try {
            ServerUrl url = ServerUrl.parse(text);
            if (!isThisMachine(url.bareHost())) {
                accesses.add(new Access(Access.Kind.ADDRESS, url.toString()));
            }
        } catch (IllegalArgumentException e) {
            // Not an address: the check of the options says so, and nothing is contacted.
        }
    }

    /// Without asking a name server.
    private static boolean isThisMachine(String host) {
        return host.equalsIgnoreCase("localhost") || host.equals("::1")
                || host.matches("127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");
    }
}
