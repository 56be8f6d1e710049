package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.service.web.contract.ContractedClient.Answer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What lenders take back by themselves: 10 of the 16 GiB that node n2 lends. */
class RevocationTest extends PreparationsTest {
    private String id;

    @BeforeEach
    void borrow() {
        id = submitted();
        runs(id);
    }

    private Answer revoke(String preparation, long generation, int leftGiB) {
        return api.put("/api/v1/nodes/n2/memory", """
                {"usedGiB": 450, "revoked": [{"preparationId": "%s", "generation": %d, "leftGiB": %d}]}
                """.formatted(preparation, generation, leftGiB));
    }

    private int lent() {
        return shown(id).at("/grant/loans/0/gib").asInt();
    }

    private List<JsonNode> revocations() {
        return api.get("/api/v1/jobs/" + id + "/events")
                .is(200)
                .json()
                .path("items")
                .valueStream()
                .filter(event -> event.path("kind").asString().equals("REVOKED"))
                .map(event -> event.path("detail"))
                .toList();
    }

    @Test
    void theBorrowerHasLessAtOnceAndGoesOnInItsGeneration() {
        revoke(id, 1, 6).is(200);

        JsonNode shown = shown(id);
        assertThat(lent()).isEqualTo(6);
        assertThat(shown.path("state").asString()).isEqualTo("RUNNING");
        assertThat(shown.path("generation").asInt()).isEqualTo(1);
        assertThat(shown.path("slowDown").asDouble()).isGreaterThan(1.3);
        assertThat(revocations()).hasSize(1);
        assertThat(revocations().get(0).path("gib").asInt()).isEqualTo(10);
        assertThat(revocations().get(0).path("lender").asString()).isEqualTo("n2");
    }

    @Test
    void aLoanOfWhichNothingIsLeftIsGone() {
        revoke(id, 1, 0).is(200);

        assertThat(shown(id).at("/grant/loans").isEmpty()).isTrue();
    }

    @Test
    void theSameAgainTakesNothing() {
        revoke(id, 1, 6).is(200);
        revoke(id, 1, 6).is(200);
        revoke(id, 1, 12).is(200);

        assertThat(lent()).isEqualTo(6);
        assertThat(revocations()).hasSize(1);
    }

    @Test
    void anUnknownOrOldStartRevokesNothing() {
        revoke(id, 2, 0).is(200);
        revoke("0c2b6de1-5f3a-4e6e-8f53-9a5f1c1b7d20", 1, 0).is(200);

        assertThat(lent()).isEqualTo(16);
    }

    @Test
    void aNodeTakesBackNothingButItsOwn() {
        api.put("/api/v1/nodes/n1/memory", """
                {"usedGiB": 10, "revoked": [{"preparationId": "%s", "generation": 1, "leftGiB": 0}]}
                """.formatted(id)).is(200);

        assertThat(lent()).isEqualTo(16);
    }

    @Test
    void aPlanThatWasMadeBeforeDoesNotLendItAgain() {
        policy.use(problem -> {
            revoke(id, 1, 6).is(200);
            return granting(problem);
        });

        rounds.run();

        assertThat(lent()).isEqualTo(6);
        policy.use(this::granting);
        api.put("/api/v1/nodes/n2/memory", "{\"usedGiB\": 0}").is(200);
        rounds.run();
        assertThat(lent()).isEqualTo(16);
    }

    @Test
    void noPreparationStartsOnRevokedMemory() {
        String other = submitted();
        grants.put(other, new PreparationAllocation("n1", 8, 48, List.of(new Loan("n2", 16)), 0));
        policy.use(problem -> {
            revoke(id, 1, 6).is(200);
            return granting(problem);
        });

        rounds.run();

        assertThat(shown(other).path("state").asString()).isEqualTo("WAITING");
    }
}
