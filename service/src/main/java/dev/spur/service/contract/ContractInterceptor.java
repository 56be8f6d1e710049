package dev.spur.service.contract;

import dev.spur.service.security.Confinement;
import dev.spur.service.security.Ownership;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Principals;
import dev.spur.service.security.Reach;
import dev.spur.service.security.Role;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerInterceptor;
import tools.jackson.databind.JsonNode;

/** Holds each request against the contract before its controller runs. */
final class ContractInterceptor implements HandlerInterceptor {
    private final Contract contract;
    private final Principals principals;
    private final Ownership ownership;

    ContractInterceptor(Contract contract, Principals principals, Ownership ownership) {
        this.contract = contract;
        this.principals = principals;
        this.ownership = ownership;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getDispatcherType() != DispatcherType.REQUEST
                || request.getMethod().equals("OPTIONS")) {
            return true;
        }
        RouteIndex.Match match = contract.find(request.getMethod(), request.getRequestURI())
                .orElseThrow(() -> ProblemException.of(ProblemType.NOT_FOUND, "The contract has no such operation."));
        Operation operation = match.operation();
        Principal principal = authorize(request, operation);
        MediaTypes.checkAccept(request, operation);
        List<FieldError> errors = new ArrayList<>();
        Map<String, JsonNode> values = ParameterReader.read(operation, match.variables(), request, errors);
        JsonNode body = operation.bodies().isEmpty() ? noBody(request, errors) : body(request, operation, errors);
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.INVALID_REQUEST, errors);
        }
        demandOwn(match, principal.reach());
        request.setAttribute(
                ContractRequest.ATTRIBUTE, new ContractRequest(request, operation, principal, values, body));
        return true;
    }

    private Principal authorize(HttpServletRequest request, Operation operation) {
        if (operation.roles().isEmpty()) {
            return Principal.NOBODY;
        }
        Principal principal = principals
                .of(request)
                .orElseThrow(() -> ProblemException.of(ProblemType.UNAUTHENTICATED, principals.advice())
                        .withHeader("WWW-Authenticate", "Bearer realm=\"spur\""));
        if (!principal.hasOneOf(operation.roles())) {
            throw ProblemException.of(ProblemType.FORBIDDEN, "The operation wants the role " + words(operation) + ".");
        }
        if (operation.meets(Confinement.REFUSED, principal.reach())) {
            throw ProblemException.of(
                    ProblemType.FORBIDDEN,
                    "The operation is not for callers that are confined to tenants or to a node.");
        }
        return principal;
    }

    /** What belongs to others is answered like what does not exist, whatever else is said of it. */
    private void demandOwn(RouteIndex.Match match, Reach reach) {
        Operation operation = match.operation();
        if (!operation.meets(Confinement.OWN, reach)) {
            return;
        }
        String collection = operation.collection();
        String id = match.variables().values().iterator().next();
        if (!ownership.reaches(reach, collection, id)) {
            throw ProblemException.notFound(collection.substring(0, collection.length() - 1), id);
        }
    }

    private static String words(Operation operation) {
        return operation.roles().stream()
                .sorted(Comparator.naturalOrder())
                .map(Role::name)
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" or "));
    }

    private static @Nullable JsonNode noBody(HttpServletRequest request, List<FieldError> errors) {
        boolean some = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
        if (some && BodyReader.bytes(request).length > 0) {
            errors.add(FieldError.at("", "must be left out: the operation reads none"));
        }
        return null;
    }

    /** Parameters are reported together with the body, unless the body cannot be read at all. */
    private static JsonNode body(HttpServletRequest request, Operation operation, List<FieldError> errors) {
        Operation.BodyRule rule = MediaTypes.bodyRule(request, operation);
        JsonNode body = BodyReader.read(BodyReader.bytes(request));
        errors.addAll(rule.check().errors(body));
        if (errors.isEmpty()) {
            rule.defaults().fillIn(body);
        }
        return body;
    }
}
