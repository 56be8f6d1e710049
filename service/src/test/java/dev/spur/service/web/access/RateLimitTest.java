package dev.spur.service.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Principal.Credential;
import dev.spur.service.security.Role;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;

class RateLimitTest {
    private final RateLimit limit = new RateLimit(new RateProperties(1, 3, 2));

    @AfterEach
    void leave() {
        SecurityContextHolder.clearContext();
    }

    private MockHttpServletResponse ask(String name, Credential credential) throws Exception {
        SecurityContextHolder.getContext()
                .setAuthentication(new PreAuthenticatedAuthenticationToken(
                        new Principal(name, credential, Set.of(Role.VIEWER), AccessScope.ALL), "", List.of()));
        MockHttpServletResponse response = new MockHttpServletResponse();
        limit.doFilter(new MockHttpServletRequest("GET", "/api/v1/jobs"), response, new MockFilterChain());
        return response;
    }

    @Test
    void aCallerAboveTheLimitGetsTheTimeOfTheRetry() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(ask("ann", Credential.TOKEN).getStatus()).isEqualTo(200);
        }

        MockHttpServletResponse refused = ask("ann", Credential.TOKEN);

        assertThat(refused.getStatus()).isEqualTo(429);
        assertThat(refused.getContentAsString()).contains("/problems/too-many-requests");
        assertThat(refused.getHeader("Retry-After")).isEqualTo("1");
        assertThat(refused.getHeader("RateLimit-Policy")).isEqualTo("\"default\";q=3;w=3");
        assertThat(refused.getHeader("RateLimit")).isEqualTo("\"default\";r=0;t=1");
    }

    @Test
    void oneCallerDoesNotUseUpWhatAnotherMayAsk() throws Exception {
        for (int i = 0; i < 5; i++) {
            ask("ann", Credential.TOKEN);
        }

        assertThat(ask("bob", Credential.TOKEN).getStatus()).isEqualTo(200);
        assertThat(ask("ann", Credential.JWT).getStatus()).isEqualTo(200);
    }

    @Test
    void theServiceItselfIsNotLimited() throws Exception {
        for (int i = 0; i < 9; i++) {
            assertThat(ask("spur", Credential.INTERNAL).getStatus()).isEqualTo(200);
        }
    }

    @Test
    void eachKeyHasItsOwnLimit() {
        KeyedRateLimiter limiter = new KeyedRateLimiter(2, 2, Duration.ofMinutes(1));

        assertThat(limiter.take("203.0.113.9")).isZero();
        assertThat(limiter.take("203.0.113.9")).isZero();
        assertThat(limiter.take("203.0.113.9")).isBetween(1L, 30L);
        assertThat(limiter.take("203.0.113.10")).isZero();
    }

    @Test
    void zeroIsNoLimit() {
        KeyedRateLimiter limiter = new KeyedRateLimiter(0, 0, Duration.ofMinutes(1));

        for (int i = 0; i < 100; i++) {
            assertThat(limiter.take("203.0.113.9")).isZero();
        }
    }
}
