package dev.spur.service.web.contract;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request for a revision that the caller does not have.
 *
 * @param known revision that the caller has; null if none
 * @param maxWait maximum time until the response; zero for at once
 */
public record PollRequest(@Nullable Long known, Duration maxWait) {
    private static final Pattern TAG = Pattern.compile("\"(\\d{1,16})\"");

    /**
     * The poll for the parameters and the header of a request; null for absent ones. The revision takes precedence over
     * the first ETag of If-None-Match that has the form of this service.
     */
    static PollRequest of(@Nullable String after, @Nullable String wait, @Nullable String ifNoneMatch) {
        return new PollRequest(
                after == null ? revision(ifNoneMatch) : Long.valueOf(after),
                wait == null ? Duration.ZERO : Duration.ofSeconds(Long.parseLong(wait)));
    }

    private static @Nullable Long revision(@Nullable String ifNoneMatch) {
        if (ifNoneMatch == null) {
            return null;
        }
        Matcher tag = TAG.matcher(ifNoneMatch);
        return tag.find() ? Long.valueOf(tag.group(1)) : null;
    }
}
