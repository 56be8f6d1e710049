package dev.spur.service.contract;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses the query of a URI strictly. The servlet container silently drops pairs that it cannot decode. */
final class QueryString {
    private QueryString() {}

    /** Values by name, in order. Pairs that are not properly encoded are reported in {@code errors}. */
    static Map<String, List<String>> parse(@Nullable String query, List<FieldError> errors) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        if (query == null || query.isEmpty()) {
            return values;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String rawName = equals < 0 ? pair : pair.substring(0, equals);
            try {
                String value = equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
                values.computeIfAbsent(URLDecoder.decode(rawName, StandardCharsets.UTF_8), name -> new ArrayList<>())
                        .add(value);
            } catch (IllegalArgumentException e) {
                errors.add(FieldError.inParameter(rawName, "is not properly encoded"));
            }
        }
        return values;
    }
}
