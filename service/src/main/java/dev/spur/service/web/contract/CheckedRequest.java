package dev.spur.service.web.contract;

import dev.spur.service.security.Principal;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request that has passed the contract check.
 *
 * @param operation the requested operation
 * @param body the body with defaults; null if the operation has none
 */
public record CheckedRequest(
        Operation operation, Principal caller, @Nullable JsonNode body) {
    private static final String ATTRIBUTE = CheckedRequest.class.getName();

    /** The checked form of {@code request}; null outside of the contract. */
    public static @Nullable CheckedRequest of(HttpServletRequest request) {
        return (CheckedRequest) request.getAttribute(ATTRIBUTE);
    }

    void attachTo(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }
}
