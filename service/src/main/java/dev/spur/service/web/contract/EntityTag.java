package dev.spur.service.web.contract;

import java.util.Arrays;
import java.util.Optional;
import org.springframework.http.ResponseEntity;

/**
 * An ETag, strong by default: the version of a row, followed by the versions of everything else in the representation.
 *
 * @param version version that If-Match compares
 * @param rest further versions, joined by dots and beginning with one; empty if there are none
 */
public record EntityTag(long version, String rest) {
    /** The tag of a representation that shows {@code version} and {@code others}. */
    public static EntityTag of(long version, long... others) {
        StringBuilder rest = new StringBuilder();
        Arrays.stream(others).forEach(other -> rest.append('.').append(other));
        return new EntityTag(version, rest.toString());
    }

    /** Value of the ETag header. */
    public String header() {
        return "\"" + version + rest + "\"";
    }

    /** The weak form, for a representation whose bytes may differ, e.g. by compression. */
    public String weakHeader() {
        return "W/" + header();
    }

    /** A response with this tag. Spring MVC makes it a 304 if If-None-Match names the tag. */
    public <T> ResponseEntity<T> ok(T body) {
        return ResponseEntity.ok().eTag(header()).body(body);
    }

    /**
     * Requires that If-Match names this version.
     *
     * @throws ProblemException 428 if the header is missing, 412 if it names other versions only
     */
    public void require(Optional<String> ifMatch) {
        if (ifMatch.isEmpty()) {
            throw ProblemException.of(
                    ProblemType.PRECONDITION_REQUIRED,
                    FieldError.inHeader("If-Match", "is required to change an existing resource: send its ETag"));
        }
        allow(ifMatch);
    }

    /** As {@link #require}, but the header may be missing. */
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
