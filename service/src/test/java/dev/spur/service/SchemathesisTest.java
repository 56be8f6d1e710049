package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.web.contract.ContractedClient;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Generated requests to a demo that requires tokens: a live cluster with jobs, plans and executors. */
@Tag("process")
class SchemathesisTest {
    private static final int SECONDS = 90;

    @Test
    void theServiceAnswersAllOperationsAsTheContractStates() throws Exception {
        Schemathesis.install();
        JsonNode report;
        try (var database = TestDatabase.create();
                var spur = SpurProcess.start(
                        Map.of(
                                "SPUR_DATABASE_URL", database.jdbcUrl(),
                                "SPUR_DATABASE_USER", database.user(),
                                "SPUR_DATABASE_PASSWORD", database.password(),
                                "SPUR_SECURITY_MODE", "token",
                                "SPUR_SECURITY_RATE_FAILURESPERMINUTE", "0"),
                        "serve",
                        "--demo",
                        "--port",
                        "0")) {
            String token = spur.awaitLine("Token of the first operator").replaceAll(".*: (spur_\\S+).*", "$1");
            String address = spur.awaitLine("Spur is ready").replaceAll(".*(http://\\S+).*", "$1");

            report = Schemathesis.run(address, token, SECONDS);
            Files.write(Schemathesis.output().resolveSibling("service.log"), spur.lines());
        }

        List<String> accepted = accepted(report);
        System.out.printf(
                "Schemathesis: %d requests, seed %d, accepted by %d operations%n",
                report.at("/test_cases/generated").intValue(),
                report.path("seed").intValue(),
                accepted.size());
        assertThat(report.path("failures")).as("%s", Schemathesis.output()).isEmpty();
        assertThat(report.path("errors")).as("%s", Schemathesis.output()).isEmpty();
        // all but the stream of events, which does not end
        assertThat(report.at("/operations/tested").intValue())
                .isEqualTo(ContractedClient.contract().operations().size() - 1);
        assertThat(accepted)
                .hasSizeGreaterThan(60)
                .contains("POST /api/v1/jobs", "POST /api/v1/solve", "POST /api/v1/what-if");
    }

    /** Operations that accepted a generated request. */
    private static List<String> accepted(JsonNode report) {
        return report.path("valid_rates").properties().stream()
                .filter(operation -> operation
                        .getValue()
                        .valueStream()
                        .anyMatch(phase -> phase.path("accepted").intValue() > 0))
                .map(Map.Entry::getKey)
                .toList();
    }
}
