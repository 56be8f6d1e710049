package dev.spur.service.security;

/** Knows what is whose. */
public interface ResourceAuthorizer {
    /**
     * True if a resource exists and is within reach.
     *
     * @param collection the collection that it is in, as paths spell it, such as {@code jobs}
     * @param id its id or name
     */
    boolean reaches(AccessScope reach, String collection, String id);
}
