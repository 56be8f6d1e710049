package dev.spur.solver.explain;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.round.ResourceKind;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.ShadowPrice;
import dev.spur.model.round.SolverStats;
import dev.spur.model.tenant.Quota;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SurplusAnalysisTest {
    private static final RoundProblem PROBLEM = problem()
            .nodes(4)
            .group("g", 2, 1)
            .job(job("a").slots(1, 4).group("g").speeds(100, 150, 175, 180).host(2, 0))
            .build();

    private static ShadowPrice price(ResourceKind kind, String resource, double price) {
        return new ShadowPrice(resource, kind, price, 1, null, "");
    }

    private static SurplusAnalysis.PricedConfiguration best(ShadowPrice... prices) {
        return SurplusAnalysis.best(PROBLEM, PROBLEM.jobs().get(0), stats(Map.of(), prices))
                .orElseThrow();
    }

    private static SolverStats stats(Map<String, Double> rows, ShadowPrice... prices) {
        return new SolverStats(1, 1, 1, 0, List.of(), rows, List.of(prices), List.of());
    }

    @Test
    void aJobBidsForMoreWhereMoreIsCheap() {
        assertThat(best().configuration().slots()).isEqualTo(4);
        assertThat(best().cost()).isZero();
        assertThat(best(price(ResourceKind.SLOT, "slots:main/A100", 1))
                        .configuration()
                        .slots())
                .isEqualTo(1);
    }

    @Test
    void everythingThatItTakesCosts() {
        SurplusAnalysis.PricedConfiguration bid = best(
                price(ResourceKind.SLOT, "slots:main/A100", 1),
                price(ResourceKind.SLOT, "slots:main/V100", 7),
                price(ResourceKind.HOST_CPU, "cpus:main/A100", 0.25),
                price(ResourceKind.GROUP_SLOT, "group-slots:g", 0.125),
                price(ResourceKind.GROUP_JOB, "group-jobs:g", 2));

        assertThat(bid.configuration().slots()).isEqualTo(1);
        assertThat(bid.cost()).isCloseTo(1 + 2 * 0.25 + 0.125 + 2, within(1e-12));
    }

    @Test
    void aSlotCostsTheLowestPriceOfTheClassesOfItsPoolAndType() {
        RoundProblem two = problem()
                .node(node("n1", 4))
                .node(node("n2", 8))
                .job(job("a").slots(1))
                .build();
        SolverStats stats = stats(
                Map.of(),
                price(ResourceKind.SLOT, "slots:main/A100 (nodes like n1)", 3),
                price(ResourceKind.SLOT, "slots:main/A100 (nodes like n2)", 2));

        assertThat(SurplusAnalysis.best(two, two.jobs().get(0), stats)
                        .orElseThrow()
                        .cost())
                .isEqualTo(2);
    }

    /** However dear what those above may use: a tenant that uses no more than it keeps takes nothing from it. */
    @Test
    void aSlotCostsWhatTheTenantsOwnAccountAsksFor() {
        RoundProblem quotas = problem()
                .nodes(4)
                .tenant("a", "root", new Quota(2, null, null))
                .tenant("b", "root", new Quota(2, null, null))
                .job(job("j").slots(2).tenant("a"))
                .build();
        SolverStats stats = stats(Map.of(
                "quota:tenants below root/A100", 100.0,
                "quota:a/A100", 1.0,
                "claim:a/A100", 0.5,
                "quota:b/A100", 10.0));

        SurplusAnalysis.PricedConfiguration bid =
                SurplusAnalysis.best(quotas, quotas.jobs().get(0), stats).orElseThrow();

        assertThat(bid.cost()).isCloseTo(2 * (1 + 0.5), within(1e-12));
    }
}
