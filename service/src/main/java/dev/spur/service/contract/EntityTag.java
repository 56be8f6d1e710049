package dev.spur.service.contract;

import java.util.Arrays;
import java.util.Optional;

/**
 * An ETag, strong unless said otherwise: the version of a row, with the versions of whatever else the representation
 * shows after it.
 *
 * @param version what If-Match compares
 * @param rest further versions, joined by dots and beginning with one; empty if there are none
 */
public record EntityTag(long version, String rest) {
    /** The tag of a representation that shows {@code version} and {@code others}. */
    public static EntityTag of(long version, long... others) {
        StringBuilder rest = new StringBuilder();
        Arrays.stream(others).forEach(other -> rest.append('.').append(other));
        return new EntityTag(version, rest.toString());
    }

    /** As it stands in a header. */
    public String header() {
        return "\"" + version + rest + "\"";
    }

    /** The same for a representation whose bytes may differ, as those of one that is sent compressed to some. */
    public String weakHeader() {
        return "W/" + header();
    }

    /** True if the caller has this representation. Weak tags count, as RFC 9110 wants it for If-None-Match. */
    public boolean isAmong(Optional<String> ifNoneMatch) {
        return ifNoneMatch.isPresent()
                && Arrays.stream(ifNoneMatch.get().split(","))
                        .map(String::strip)
                        .anyMatch(tag -> tag.equals("*") || tag.equals(header()) || tag.equals(weakHeader()));
    }

    /**
     * Demands that a change was made in view of this version.
     *
     * @throws ProblemException 428 if the header is missing, 412 if it names other versions only
     */
    public void demand(Optional<String> ifMatch) {
        if (ifMatch.isEmpty()) {
            throw ProblemException.of(
                    ProblemType.PRECONDITION_REQUIRED,
                    FieldError.inHeader("If-Match", "is required to change what exists: send the ETag that you read"));
        }
        allow(ifMatch);
    }

    /** As {@link #demand}, but a missing header is fine. */
    public void allow(Optional<String> ifMatch) {
        if (ifMatch.isPresent() && Arrays.stream(ifMatch.get().split(",")).noneMatch(this::names)) {
            throw ProblemException.of(
                    ProblemType.PRECONDITION_FAILED,
                    FieldError.inHeader("If-Match", "does not name the current version, which has ETag " + header()));
        }
    }

    private boolean names(String given) {
        String tag = given.strip();
        return tag.equals("*") || tag.equals("\"" + version + "\"") || tag.startsWith("\"" + version + ".");
    }
}
