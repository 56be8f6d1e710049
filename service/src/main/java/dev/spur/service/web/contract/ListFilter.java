package dev.spur.service.web.contract;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Filters of lists. An absent filter excludes nothing. */
public final class ListFilter {
    private ListFilter() {}

    /** True if {@code filter} is absent or equals {@code value}. */
    public static boolean matches(@Nullable String filter, @Nullable Object value) {
        return filter == null || (value != null && filter.equals(value.toString()));
    }

    /** True if {@code filter} is empty or contains {@code value}. */
    public static boolean matches(List<String> filter, Object value) {
        return filter.isEmpty() || filter.contains(value.toString());
    }

    /** True if {@code filter} is absent or among {@code values}. */
    public static boolean matchesOneOf(@Nullable String filter, List<String> values) {
        return filter == null || values.contains(filter);
    }

    /** True if {@code time} is at or after {@code since} and before {@code until}; null does not limit it. */
    public static boolean isWithin(Instant time, @Nullable Instant since, @Nullable Instant until) {
        return (since == null || !time.isBefore(since)) && (until == null || time.isBefore(until));
    }
}
