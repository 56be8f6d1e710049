package dev.spur.service.web.access;

import dev.spur.service.security.Principal;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.web.filter.OncePerRequestFilter;

/** Limits the request rate of each caller, with the headers of the IETF draft on rate limits. */
final class RateLimit extends OncePerRequestFilter {
    private final RateProperties properties;
    private final KeyedRateLimiter buckets;

    RateLimit(RateProperties properties) {
        this.properties = properties;
        this.buckets = new KeyedRateLimiter(properties.burst(), properties.requestsPerSecond(), Duration.ofSeconds(1));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Principal caller = CallerResolver.authentication().orElse(null);
        if (caller != null && caller.credential() != Principal.Credential.INTERNAL) {
            long seconds = buckets.take(caller.credential() + " " + caller.name());
            if (seconds > 0) {
                ProblemAuthenticationEntryPoint.write(request, response, tooMany(seconds));
                return;
            }
        }
        chain.doFilter(request, response);
    }

    private ProblemException tooMany(long seconds) {
        long window = Math.max(1, properties.burst() / properties.requestsPerSecond());
        return ProblemException.of(ProblemType.TOO_MANY_REQUESTS, "The caller exceeds its request rate.")
                .withHeader("Retry-After", Long.toString(seconds))
                .withHeader("RateLimit-Policy", "\"default\";q=%d;w=%d".formatted(properties.burst(), window))
                .withHeader("RateLimit", "\"default\";r=0;t=%d".formatted(seconds));
    }
}
