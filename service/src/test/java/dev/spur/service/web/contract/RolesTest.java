package dev.spur.service.web.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.security.PrincipalResolver;
import dev.spur.service.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.servlet.HandlerMapping;

class RolesTest {
    private static final Contract CONTRACT = ContractedClient.contract();

    private static ProblemType refusal(String method, String path, Optional<Principal> caller) {
        var principals = new PrincipalResolver() {
            @Override
            public Optional<Principal> of(HttpServletRequest request) {
                return caller;
            }

            @Override
            public String remedy() {
                return "Show a token.";
            }
        };
        var interceptor =
                new ContractInterceptor(CONTRACT, principals, (reach, collection, id) -> true, Duration.ofSeconds(30));
        var request = new MockHttpServletRequest(method, path.replace("{id}", "n"));
        request.setAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, path);
        request.setAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, Map.of("id", "n"));
        var problem = catchThrowableOfType(
                ProblemException.class,
                () -> interceptor.preHandle(request, new MockHttpServletResponse(), new Object()));
        return problem == null ? null : problem.type();
    }

    @ParameterizedTest
    @CsvSource({
        "VIEWER,    GET,  /api/v1/jobs,           ",
        "VIEWER,    POST, /api/v1/jobs,           FORBIDDEN",
        "VIEWER,    POST, /api/v1/nodes/{id}/drain,  FORBIDDEN",
        "SUBMITTER, POST, /api/v1/nodes/{id}/drain,  FORBIDDEN",
        "EXECUTOR,  POST, /api/v1/nodes/{id}/mark-lost,   ",
        "EXECUTOR,  POST, /api/v1/rounds,         FORBIDDEN",
        "OPERATOR,  POST, /api/v1/nodes/{id}/drain,  ",
        "OPERATOR,  POST, /api/v1/rounds,         "
    })
    void anOperationIsOpenToTheRolesThatItNames(Role role, String method, String path, ProblemType refusal) {
        var caller = new Principal("someone", Principal.Credential.TOKEN, Set.of(role), AccessScope.ALL);

        assertThat(refusal(method, path, Optional.of(caller))).isEqualTo(refusal);
    }

    @Test
    void callersWithoutAValidTokenAreRejected() {
        assertThat(refusal("GET", "/api/v1/jobs", Optional.empty())).isEqualTo(ProblemType.UNAUTHENTICATED);
    }
}
