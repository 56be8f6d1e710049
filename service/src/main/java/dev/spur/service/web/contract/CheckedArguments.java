package dev.spur.service.web.contract;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Arguments of controller methods from a checked request: the body with its defaults, the caller, its scope, the page
 * of a list, and the revision of a poll. A body is bound to the type of its parameter, or passed as a tree.
 */
final class CheckedArguments implements HandlerMethodArgumentResolver {
    private static final Set<Class<?>> TYPES =
            Set.of(Principal.class, AccessScope.class, PageRequest.class, PollRequest.class);

    /** Endpoints of Spring itself, such as the probes, are not checked. */
    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getContainingClass().isAnnotationPresent(RestController.class)
                && (parameter.hasParameterAnnotation(RequestBody.class)
                        || TYPES.contains(parameter.getParameterType()));
    }

    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest web,
            @Nullable WebDataBinderFactory binders) {
        HttpServletRequest raw = Objects.requireNonNull(web.getNativeRequest(HttpServletRequest.class));
        CheckedRequest request =
                Objects.requireNonNull(CheckedRequest.of(raw), "the request was not validated against the contract");
        Class<?> type = parameter.getParameterType();
        if (type == Principal.class) {
            return request.caller();
        }
        if (type == AccessScope.class) {
            return request.caller().reach();
        }
        if (type == PageRequest.class) {
            return PageRequest.of(raw.getParameter("limit"), raw.getParameter("cursor"));
        }
        if (type == PollRequest.class) {
            return PollRequest.of(raw.getParameter("after"), raw.getParameter("wait"), raw.getHeader("If-None-Match"));
        }
        return body(Objects.requireNonNull(request.body()), type, ContractInterceptor.pathVariables(raw));
    }

    private static Object body(JsonNode body, Class<?> type, Map<String, String> path) {
        if (JsonNode.class.isAssignableFrom(type)) {
            return body;
        }
        if (type.isRecord() && body instanceof ObjectNode object) {
            Arrays.stream(type.getRecordComponents())
                    .filter(component -> path.containsKey(component.getName()))
                    .forEach(component ->
                            identify(object, component.getName(), path.getOrDefault(component.getName(), "")));
        }
        return Binder.bind(body, type);
    }

    /** Sets a member that identifies the resource from the path variable of the same name. */
    private static void identify(ObjectNode body, String member, String value) {
        if (body.has(member) && !body.path(member).asString().equals(value)) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE,
                    FieldError.at("/" + member, "differs from the path, which names " + value));
        }
        body.put(member, value);
    }
}
