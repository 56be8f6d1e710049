package dev.spur.service.web.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.Operation.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ValueConstants;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Controller methods have the parameters and defaults of their operations. */
class SignatureTest extends ServiceTest {
    /** Headers that the service evaluates outside of controllers. */
    private static final Set<String> OUTSIDE = Set.of("header X-Request-Id", "header Accept", "header Accept-Encoding");

    /** Spring MVC compares it with the ETag of the response to a GET. */
    private static final String CONDITION = "header If-None-Match";

    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    private RequestMappingHandlerMapping mappings;

    static Stream<Operation> operations() {
        return ContractedClient.contract().operations().stream()
                .filter(operation -> !Set.of(
                                "getLiveness", "getReadiness", "getMetrics", "getContract", "getDocumentation")
                        .contains(operation.id()));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void hasTheParametersOfTheOperation(Operation operation) {
        assertThat(bound(operation.path(), handler(operation))).isEqualTo(declared(operation));
    }

    private HandlerMethod handler(Operation operation) {
        return mappings.getHandlerMethods().entrySet().stream()
                .filter(route -> route.getKey().getPatternValues().contains(operation.path())
                        && route.getKey()
                                .getMethodsCondition()
                                .getMethods()
                                .contains(RequestMethod.valueOf(operation.method())))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    private static Set<String> declared(Operation operation) {
        Set<String> declared = new TreeSet<>();
        for (Parameter parameter : operation.parameters()) {
            String fallback = parameter.fallback() == null
                    ? ""
                    : "=" + parameter.fallback().asString();
            declared.add(parameter.in() + " " + parameter.name() + fallback);
        }
        if (!operation.bodies().isEmpty()) {
            declared.add("body");
        }
        declared.removeAll(OUTSIDE);
        if (operation.method().equals("GET")) {
            declared.remove(CONDITION);
        }
        return declared;
    }

    private static Set<String> bound(String path, HandlerMethod handler) {
        Set<String> bound = new TreeSet<>();
        for (MethodParameter parameter : handler.getMethodParameters()) {
            parameter.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
            RequestParam query = parameter.getParameterAnnotation(RequestParam.class);
            PathVariable variable = parameter.getParameterAnnotation(PathVariable.class);
            RequestHeader header = parameter.getParameterAnnotation(RequestHeader.class);
            if (query != null) {
                String fallback = query.defaultValue().equals(ValueConstants.DEFAULT_NONE)
                                || query.defaultValue().isEmpty()
                        ? ""
                        : "=" + query.defaultValue();
                bound.add("query " + name(query.name(), parameter) + fallback);
            } else if (variable != null) {
                bound.add("path " + name(variable.name(), parameter));
            } else if (header != null) {
                bound.add("header " + name(header.name(), parameter));
            } else if (parameter.hasParameterAnnotation(RequestBody.class)) {
                bound.add("body");
                identified(path, parameter.getParameterType()).forEach(name -> bound.add("path " + name));
            } else if (parameter.getParameterType() == PageRequest.class) {
                bound.addAll(Set.of("query limit=" + PageRequest.DEFAULT_LIMIT, "query cursor"));
            } else if (parameter.getParameterType() == PollRequest.class) {
                bound.addAll(Set.of("query after", "query wait=0"));
            }
        }
        bound.removeAll(OUTSIDE);
        if (AnnotatedElementUtils.hasAnnotation(handler.getMethod(), GetMapping.class)) {
            bound.remove(CONDITION);
        }
        return bound;
    }

    /** Members of a body that take their value from the path. */
    private static Stream<String> identified(String path, Class<?> body) {
        return body.isRecord()
                ? Stream.of(body.getRecordComponents())
                        .map(RecordComponent::getName)
                        .filter(name -> path.contains("{" + name + "}"))
                : Stream.of();
    }

    private static String name(String given, MethodParameter parameter) {
        return given.isEmpty() ? parameter.getParameterName() : given;
    }
}
