package dev.spur.service.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.security.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

class CallerResolverTest {
    private static MockHttpServletRequest queriedAt(String host) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setServerName(host.substring(0, host.indexOf(':')));
        request.addHeader("Host", host);
        return request;
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8080,                            , true",
        "LOCALHOST:8080,                            , true",
        "127.0.0.1:8080, http://127.0.0.1:8080      , true",
        "localhost:8080, http://localhost:9999      , false",
        "localhost:8080, https://elsewhere.example  , false",
        "localhost:8080, null                       , false",
        "rebound.example:8080,                      , false",
        "rebound.example:8080, http://rebound.example:8080, false"
    })
    void servesWhoComesByItsOwnNameAndPages(String host, String origin, boolean served) {
        MockHttpServletRequest request = queriedAt(host);
        if (origin != null) {
            request.addHeader("Origin", origin);
        }

        var principal = CallerResolver.local(request);

        assertThat(principal.isPresent()).isEqualTo(served);
        principal.ifPresent(caller -> assertThat(caller.roles()).containsExactlyInAnyOrder(Role.values()));
    }

    @ParameterizedTest
    @CsvSource({"same-origin, true", "none, true", "same-site, false", "cross-site, false", "Cross-Site, false"})
    void servesOnlyPagesOfThisServiceWhereTheBrowserNamesTheSite(String site, boolean served) {
        MockHttpServletRequest request = queriedAt("localhost:8080");
        request.addHeader("Sec-Fetch-Site", site);

        assertThat(CallerResolver.local(request).isPresent()).isEqualTo(served);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"})
    void doesNotServeWhatAProxyHasPassedOn(String header) {
        MockHttpServletRequest request = queriedAt("localhost:8080");
        request.addHeader(header, "203.0.113.9");

        assertThat(CallerResolver.local(request)).isEmpty();
    }

    @Test
    void isConfinedByNothing() {
        assertThat(CallerResolver.local(queriedAt("localhost:8080"))
                        .orElseThrow()
                        .reach()
                        .isAll())
                .isTrue();
    }
}
