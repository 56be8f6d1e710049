package dev.spur.model.validation;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.PreparationFixture.preparation;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.PreparationFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.dataprep.Loan;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule with a problem that just breaks it, and with the place that it names. */
class PreparationProblemCheckTest {
    private static List<String> found(ProblemFixture fixture) {
        return ProblemCheck.violations(fixture.build()).stream()
                .map(violation -> violation.rule() + " " + violation.subject())
                .toList();
    }

    private static List<String> foundWith(PreparationFixture... preparations) {
        return found(problem()
                .nodes(4, 4)
                .node(node("gone", 4).state(NodeState.LOST))
                .job(job("a"))
                .preparations(preparations));
    }

    @Test
    void whatFitsIsFoundSound() {
        assertThat(foundWith(preparation("p").on("n1", 16, new Loan("n2", 16)), preparation("q")))
                .isEmpty();
    }

    @Test
    void namesAreUniqueAmongAllJobs() {
        assertThat(foundWith(preparation("p"), preparation("p"))).containsExactly("namesAreUnique /preparations/1");
        assertThat(foundWith(preparation("a"))).containsExactly("namesAreUnique /preparations/0");
    }

    @Test
    void namesAreKnown() {
        assertThat(foundWith(preparation("p").tenant("x"))).containsExactly("namesAreKnown /preparations/0/tenant");
        assertThat(foundWith(preparation("p").on("n9", 16, new Loan("n8", 16))))
                .containsExactly(
                        "namesAreKnown /preparations/0/grant/node",
                        "namesAreKnown /preparations/0/grant/loans/0/lender");
        assertThat(found(problem().nodes(4).used("n9", 1))).containsExactly("namesAreKnown /memoryUse/0/node");
    }

    @Test
    void memoryIsSaidOnceForEachNode() {
        assertThat(found(problem().nodes(4).used("n1", 1).used("n1", 2)))
                .containsExactly("namesAreUnique /memoryUse/1");
    }

    @Test
    void grantsAreOnLiveNodes() {
        assertThat(foundWith(preparation("p").on("gone", 16)))
                .containsExactly("grantsAreOnLiveNodes /preparations/0/grant/node");
        assertThat(foundWith(preparation("p").on("n1", 16, new Loan("gone", 1))))
                .containsExactly("grantsAreOnLiveNodes /preparations/0/grant/loans/0/lender");
    }

    @Test
    void timesAreFinite() {
        assertThat(foundWith(preparation("p").arrival(Double.NaN)))
                .containsExactly("timesAreFinite /preparations/0/arrival");
    }
}
