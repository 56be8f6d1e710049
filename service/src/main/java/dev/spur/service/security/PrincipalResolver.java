package dev.spur.service.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Resolves requests to principals. */
public interface PrincipalResolver {
    /** The caller; empty if nobody vouches for it. */
    Optional<Principal> of(HttpServletRequest request);

    /** What a caller is told for whom nobody vouches, one sentence. */
    String advice();
}
