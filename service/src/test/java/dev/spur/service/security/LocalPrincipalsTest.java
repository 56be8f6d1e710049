package dev.spur.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

class LocalPrincipalsTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, localhost:8080,                            , true",
        "127.0.0.1, LOCALHOST:8080,                            , true",
        "127.0.0.1, 127.0.0.1:8080, http://127.0.0.1:8080      , true",
        "127.0.0.1, localhost:8080, http://localhost:9999      , false",
        "127.0.0.1, localhost:8080, https://elsewhere.example  , false",
        "127.0.0.1, localhost:8080, null                       , false",
        "127.0.0.1, rebound.example:8080,                      , false",
        "127.0.0.1, rebound.example:8080, http://rebound.example:8080, false",
        "0.0.0.0,   spur.example:8080,                         , true",
        "0.0.0.0,   spur.example:8080, http://spur.example:8080, true",
        "0.0.0.0,   spur.example:8080, http://elsewhere.example, false"
    })
    void servesWhoComesByItsOwnNameAndPages(String address, String host, String origin, boolean served)
            throws UnknownHostException {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setServerName(host.substring(0, host.indexOf(':')));
        request.addHeader("Host", host);
        if (origin != null) {
            request.addHeader("Origin", origin);
        }

        var principal = new LocalPrincipals(address).of(request);

        assertThat(principal.isPresent()).isEqualTo(served);
        principal.ifPresent(caller -> assertThat(caller.roles()).containsExactlyInAnyOrder(Role.values()));
    }
}
