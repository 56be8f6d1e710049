package dev.spur.service.access;

import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.security.Principal;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** Limits the request rate of each caller, with the headers of the IETF draft on rate limits. */
final class RateLimit extends OncePerRequestFilter {
    private final RateProperties properties;
    private final KeyedRateLimiter buckets;

    RateLimit(RateProperties properties) {
        this.properties = properties;
        int perSecond = properties.requestsPerSecond();
        buckets = new KeyedRateLimiter(
                perSecond <= 0,
                () -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(Math.max(1, properties.burst()))
                                .refillGreedy(perSecond, Duration.ofSeconds(1)))
                        .build());
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known
                && known.caller().credential() != Principal.Credential.INTERNAL) {
            Bucket bucket = buckets.of(
                    known.caller().credential() + " " + known.caller().name());
            ConsumptionProbe probe = bucket == null ? null : bucket.tryConsumeAndReturnRemaining(1);
            if (probe != null && !probe.isConsumed()) {
                ProblemAuthenticationEntryPoint.write(request, response, tooMany(probe));
                return;
            }
        }
        chain.doFilter(request, response);
    }

    private ProblemException tooMany(ConsumptionProbe probe) {
        long seconds = KeyedRateLimiter.seconds(probe.getNanosToWaitForRefill());
        long window = Math.max(1, properties.burst() / properties.requestsPerSecond());
        return ProblemException.of(ProblemType.TOO_MANY_REQUESTS, "The caller exceeds its request rate.")
                .withHeader("Retry-After", Long.toString(seconds))
                .withHeader("RateLimit-Policy", "\"default\";q=%d;w=%d".formatted(properties.burst(), window))
                .withHeader("RateLimit", "\"default\";r=0;t=%d".formatted(seconds));
    }
}
