package dev.spur.service.web.contract;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.security.PrincipalResolver;
import dev.spur.service.security.ResourceAuthorizer;
import dev.spur.service.security.Role;
import dev.spur.service.security.ScopeRule;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import tools.jackson.databind.JsonNode;

/** Validates each request against the contract before its controller runs. */
final class ContractInterceptor implements HandlerInterceptor {
    private static final FieldError UNWANTED = FieldError.at("", "must be absent: the operation has no body");

    private static final int LARGE_BODIES = 2;

    private final Contract contract;
    private final PrincipalResolver principals;
    private final ResourceAuthorizer ownership;
    private final Duration bodyDeadline;
    /** Large bodies that are parsed and validated at the same time: each requires a multiple of its size in memory. */
    private final Semaphore largeBodies = new Semaphore(LARGE_BODIES);

    ContractInterceptor(
            Contract contract, PrincipalResolver principals, ResourceAuthorizer ownership, Duration bodyDeadline) {
        this.contract = contract;
        this.principals = principals;
        this.ownership = ownership;
        this.bodyDeadline = bodyDeadline;
    }

    /**
     * A request of an authorized caller whose body is not read yet.
     *
     * @param errors errors outside of the body
     */
    private record AuthorizedRequest(Operation operation, Principal principal, List<FieldError> errors) {
        static final String ATTRIBUTE = AuthorizedRequest.class.getName();
    }

    /**
     * Authorizes the request first and then reads the body. While the body is incomplete, the request uses no thread.
     */
    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getMethod().equals("OPTIONS")) {
            return true;
        }
        if (request.getDispatcherType() == DispatcherType.REQUEST) {
            AuthorizedRequest admitted = admit(request);
            if (BodyReading.isExpected(request)) {
                request.setAttribute(AuthorizedRequest.ATTRIBUTE, admitted);
                if (!BodyReading.start(request, response, admitted.operation().mostBytes(), bodyDeadline)) {
                    return false;
                }
                request.removeAttribute(AuthorizedRequest.ATTRIBUTE);
            }
            finish(request, admitted, BodyReading.of(request));
        } else if (request.getAttribute(AuthorizedRequest.ATTRIBUTE) instanceof AuthorizedRequest admitted) {
            request.removeAttribute(AuthorizedRequest.ATTRIBUTE);
            finish(request, admitted, BodyReading.of(request));
        }
        return true;
    }

    private AuthorizedRequest admit(HttpServletRequest request) {
        Operation operation = contract.operation(request.getMethod(), pattern(request))
                .orElseThrow(() -> ProblemException.of(
                        ProblemType.NOT_FOUND,
                        "The service has no operation %s %s. The page /docs lists all operations."
                                .formatted(request.getMethod(), request.getRequestURI())));
        Principal principal = authorize(request, operation);
        RequestCheck.checkAccept(request, operation);
        List<FieldError> errors = new ArrayList<>();
        RequestCheck.checkParameters(operation, pathVariables(request), request, errors);
        if (!operation.bodies().isEmpty()) {
            RequestCheck.bodySchema(request, operation);
            if (request.getContentLengthLong() > operation.mostBytes()) {
                throw BodyReading.tooLarge(operation.mostBytes());
            }
        } else if (request.getContentLengthLong() > 0) {
            throw ProblemException.of(ProblemType.INVALID_REQUEST, UNWANTED);
        }
        return new AuthorizedRequest(operation, principal, errors);
    }

    private void finish(HttpServletRequest request, AuthorizedRequest admitted, @Nullable BodyReading reading) {
        Operation operation = admitted.operation();
        List<FieldError> errors = admitted.errors();
        JsonNode body = null;
        if (!operation.bodies().isEmpty()) {
            byte[] bytes = reading == null ? new byte[0] : reading.body();
            body = bytes.length <= Operation.ORDINARY_BYTES
                    ? body(request, operation, bytes, errors)
                    : largeBody(request, operation, bytes, errors);
        } else if (reading != null && !reading.isEmpty()) {
            errors.add(UNWANTED);
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.INVALID_REQUEST, errors);
        }
        requireInScope(operation, pathVariables(request), admitted.principal().reach());
        new CheckedRequest(operation, admitted.principal(), body).attachTo(request);
    }

    /**
     * The path template of the controller method that Spring MVC has found; empty if the path has parameters after a
     * semicolon. Spring MVC ignores them, but the contract has none.
     */
    private static String pattern(HttpServletRequest request) {
        if (request.getRequestURI().contains(";")) {
            return "";
        }
        return String.valueOf(request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE));
    }

    @SuppressWarnings("unchecked") // Spring MVC documents the type of this attribute
    static Map<String, String> pathVariables(HttpServletRequest request) {
        Object variables = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
        return variables == null ? Map.of() : (Map<String, String>) variables;
    }

    private Principal authorize(HttpServletRequest request, Operation operation) {
        if (operation.roles().isEmpty()) {
            return Principal.ANONYMOUS;
        }
        Principal principal = principals
                .of(request)
                .orElseThrow(() -> ProblemException.of(ProblemType.UNAUTHENTICATED, principals.remedy())
                        .withHeader("WWW-Authenticate", "Bearer realm=\"spur\""));
        if (!principal.hasOneOf(operation.roles())) {
            throw ProblemException.of(
                    ProblemType.FORBIDDEN, "The operation requires the role " + describe(operation) + ".");
        }
        if (operation.meets(ScopeRule.FORBIDDEN, principal.reach())) {
            throw ProblemException.of(
                    ProblemType.FORBIDDEN,
                    "The operation is not available to callers that are confined to tenants or to a node.");
        }
        return principal;
    }

    /** Resources out of the caller's scope are treated as missing, before any other error is reported. */
    private void requireInScope(Operation operation, Map<String, String> path, AccessScope reach) {
        if (!operation.meets(ScopeRule.OWN, reach)) {
            return;
        }
        String collection = operation.collection();
        String id = path.getOrDefault(operation.firstVariable(), "");
        if (!ownership.reaches(reach, collection, id)) {
            throw ProblemException.notFound(collection.substring(0, collection.length() - 1), id);
        }
    }

    private static String describe(Operation operation) {
        return operation.roles().stream()
                .sorted(Comparator.naturalOrder())
                .map(Role::name)
                .collect(Collectors.joining(" or "));
    }

    private JsonNode largeBody(HttpServletRequest request, Operation operation, byte[] bytes, List<FieldError> errors) {
        if (!largeBodies.tryAcquire()) {
            throw ProblemException.of(
                            ProblemType.UNAVAILABLE,
                            "%d bodies above %d bytes are being validated, which is the limit."
                                    .formatted(LARGE_BODIES, Operation.ORDINARY_BYTES))
                    .withHeader("Retry-After", "1");
        }
        try {
            return body(request, operation, bytes, errors);
        } finally {
            largeBodies.release();
        }
    }

    /** Errors of parameters and of the body are reported together, unless the body cannot be parsed. */
    private static JsonNode body(
            HttpServletRequest request, Operation operation, byte[] bytes, List<FieldError> errors) {
        SchemaCheck schema = RequestCheck.bodySchema(request, operation);
        JsonNode body = BodyReader.read(bytes);
        List<FieldError> tooLarge = schema.sizeErrors(body);
        errors.addAll(tooLarge);
        if (tooLarge.isEmpty()) {
            if (!operation.method().equals("PATCH")) {
                schema.removeAbsentNulls(body);
            }
            errors.addAll(schema.schemaErrors(body));
        }
        if (errors.isEmpty()) {
            schema.fillInDefaults(body);
        }
        return body;
    }
}
