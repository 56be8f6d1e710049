package dev.spur.service.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Resolves requests to principals. */
public interface PrincipalResolver {
    /** The caller; empty if it is not authenticated. */
    Optional<Principal> of(HttpServletRequest request);

    /** The error detail for unauthenticated callers, one sentence. */
    String remedy();
}
