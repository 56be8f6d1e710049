package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.json.RoundJson;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ProblemType;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class RecommendationTest extends ApiTest {
    private static final String ROUTE = "/api/v1/recommendations";
    private static final JsonNode EXAMPLES =
            ContractedClient.contract().document().at("/components/examples");

    private static String request(Consumer<ObjectNode> change) {
        ObjectNode request =
                (ObjectNode) EXAMPLES.at("/recommendationRequest/value").deepCopy();
        change.accept(request);
        return request.toString();
    }

    @Test
    void theExampleOfTheContractGivesTheAnswerOfTheContract() {
        JsonNode answer = api.post(ROUTE, request(body -> {})).is(200).json();

        JsonNode told = EXAMPLES.at("/recommendation/value");
        assertThat(configuration(answer)).isEqualTo(configuration(told));
        assertThat(answer.path("targetMet")).isEqualTo(told.path("targetMet"));
        assertThat(answer.at("/chosen/cost/median").doubleValue())
                .isCloseTo(told.at("/chosen/cost/median").doubleValue(), withinPercentage(1));
    }

    private static Configuration configuration(JsonNode recommendation) {
        return RoundJson.mapper().treeToValue(recommendation.at("/chosen/configuration"), Configuration.class);
    }

    @Test
    void anUnknownSpeedHasNeitherTimeNorCostNorRisk() {
        JsonNode answer = api.post(ROUTE, request(body -> {
                    ObjectNode spec = (ObjectNode) body.path("spec");
                    spec.remove("profile");
                    spec.put("family", "never-seen");
                    body.putObject("target").put("minimize", "TIME").put("deadlineSeconds", 1e9);
                }))
                .is(200)
                .json();

        assertThat(answer.at("/chosen/origin").asString()).isEqualTo("ASSUMED");
        for (String member : new String[] {"goodput", "seconds", "cost", "risk"}) {
            assertThat(answer.at("/chosen").path(member).isNull()).as(member).isTrue();
        }
        assertThat(answer.path("targetMet").booleanValue()).isFalse();
        assertThat(answer.path("message").asString()).contains("unknown until it has run");
    }

    @Test
    void withoutNodeTypesTheClusterIsAsked() {
        cluster(4, 4);

        JsonNode answer = api.post(ROUTE, request(body -> {
                    body.remove("nodeTypes");
                    body.putObject("target").put("minimize", "TIME");
                }))
                .is(200)
                .json();

        assertThat(answer.at("/chosen/nodeType").asString()).isEqualTo("main");
        assertThat(answer.at("/chosen/configuration/slots").intValue()).isEqualTo(8);
        assertThat(answer.at("/chosen/cost/median").doubleValue()).isZero();
    }

    @Test
    void aBudgetIsKept() {
        JsonNode answer = api.post(
                        ROUTE,
                        request(body ->
                                body.putObject("target").put("minimize", "TIME").put("budget", 300)))
                .is(200)
                .json();

        assertThat(answer.path("targetMet").booleanValue()).isTrue();
        assertThat(answer.at("/chosen/cost/median").doubleValue()).isLessThan(300);
        assertThat(answer.at("/chosen/cost/median").doubleValue())
                .isCloseTo(
                        answer.at("/chosen/pricePerHour").doubleValue()
                                * answer.at("/chosen/seconds/median").doubleValue()
                                / 3600,
                        within(1e-6));
    }

    @Nested
    class WhatIsRefused {
        @Test
        void isNamedWithEveryBrokenField() {
            JsonNode problem = api.post(ROUTE, request(body -> {
                        body.putObject("target").put("confidence", 2).put("budget", -1);
                        body.withObject("/spec").remove("work");
                        ((ObjectNode) body.at("/nodeTypes/0")).put("slots", 0);
                    }))
                    .is(ProblemType.INVALID_REQUEST)
                    .json();

            assertThat(problem.path("errors").findValuesAsString("pointer"))
                    .contains("/target/confidence", "/target/budget", "/spec/work", "/nodeTypes/0/slots");
        }

        @Test
        void areNodesThatShareAName() {
            String body = request(tree -> ((ObjectNode) tree.at("/nodeTypes/1")).put("name", "large"));

            assertThat(api.post(ROUTE, body).is(ProblemType.UNPROCESSABLE).at("/errors/0/pointer"))
                    .isEqualTo("/nodeTypes");
        }

        @Test
        void isAJobThatFitsOnNoneOfTheNodes() {
            String body = request(tree ->
                    tree.withArray("/nodeTypes").forEach(node -> ((ObjectNode) node).put("acceleratorType", "H100")));

            assertThat(api.post(ROUTE, body).is(ProblemType.UNSATISFIABLE).at("/reasons/0"))
                    .contains("No node has devices");
        }
    }
}
