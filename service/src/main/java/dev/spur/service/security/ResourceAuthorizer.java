package dev.spur.service.security;

/** Determines whether resources are in the scope of callers. */
public interface ResourceAuthorizer {
    /**
     * True if a resource exists and is in scope.
     *
     * @param collection its collection as in paths, such as {@code jobs}
     * @param id its id or name
     */
    boolean reaches(AccessScope reach, String collection, String id);
}
