package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.Contract;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.Operation;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The service and its contract have the same operations. */
class RoutesTest extends ApiTest {
    private static final Set<String> REST = Set.of("/api/", "/compat/", "/keyed/", "/problems/");

    @Autowired
    private Contract contract;

    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    private RequestMappingHandlerMapping mappings;

    private static boolean isRest(String path) {
        return REST.stream().anyMatch(path::startsWith);
    }

    private Set<String> routes() {
        Set<String> routes = new TreeSet<>();
        mappings.getHandlerMethods()
                .keySet()
                .forEach(route -> route.getPatternValues()
                        .forEach(path -> route.getMethodsCondition()
                                .getMethods()
                                .forEach(method -> routes.add(method + " " + path))));
        return routes.stream()
                .filter(route -> isRest(route.substring(route.indexOf(' ') + 1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyRouteIsInTheContractAndEveryOperationIsServed() {
        Set<String> declared = contract.operations().stream()
                .filter(operation -> isRest(operation.path()))
                .map(operation -> operation.method() + " " + operation.path())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(routes()).isEqualTo(declared);
    }

    static Set<String> outside() {
        return ContractedClient.contract().operations().stream()
                .map(Operation::path)
                .filter(path -> !isRest(path))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @MethodSource("outside")
    void whatIsDeclaredOutsideOfTheRestPathsIsServed(String path) {
        assertThat(api.get(path).status()).isEqualTo(200);
    }
}
