package dev.spur.service.web.access;

import dev.spur.service.web.contract.ApiJson;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import dev.spur.service.web.contract.RequestId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;

/** Returns a problem for a failed authentication. The response does not repeat the sent credentials. */
final class ProblemAuthenticationEntryPoint implements AuthenticationEntryPoint {
    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException why)
            throws IOException {
        write(request, response, problem(why));
    }

    private static ProblemException problem(AuthenticationException why) {
        return why instanceof AuthenticationProblemException known
                ? known.problem()
                : ProblemException.of(
                                ProblemType.UNAUTHENTICATED,
                                "The token is unknown, revoked, expired or not intended for this service.")
                        .withHeader("WWW-Authenticate", "Bearer realm=\"spur\", error=\"invalid_token\"");
    }

    /** Writes a problem as the response of a filter. */
    static void write(HttpServletRequest request, HttpServletResponse response, ProblemException problem)
            throws IOException {
        response.setStatus(problem.type().status());
        problem.getHeaders().toSingleValueMap().forEach(response::setHeader);
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        byte[] body =
                ApiJson.mapper().writeValueAsBytes(problem.toBody(request.getRequestURI(), RequestId.of(request)));
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
        response.flushBuffer();
    }
}
