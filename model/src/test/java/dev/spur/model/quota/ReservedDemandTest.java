package dev.spur.model.quota;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.Elasticity;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReservedDemandTest {
    private static ProblemFixture cluster() {
        return problem().nodes(8).tenant("x", "root", null).tenant("xa", "x", null);
    }

    private static long needOfX(ProblemFixture fixture) {
        return new ReservedDemand(fixture.build()).of("x", "A100") / Elasticity.PARTS;
    }

    @Test
    void aJobNeedsItsFewestAllowedSlots() {
        assertThat(needOfX(cluster().job(job("a").tenant("x").slots(2, 8)))).isEqualTo(2);
        assertThat(needOfX(cluster().job(job("a").tenant("x").slots(3, 8).powersOfTwo())))
                .isEqualTo(4);
        assertThat(needOfX(cluster().job(job("a").tenant("x").slots(1, 8).allowedCounts(6, 3))))
                .isEqualTo(3);
    }

    @Test
    void aJobThatMayHoldNoCountAtAllNeedsNothing() {
        assertThat(needOfX(cluster().job(job("a").tenant("x").slots(3).powersOfTwo())))
                .isZero();
    }

    @Test
    void theJobsOfAGroupNeedNoMoreThanItsCap() {
        assertThat(needOfX(cluster().group("g", 5, null).jobs(trials()))).isEqualTo(5);
        assertThat(needOfX(cluster().group("g", 9, null).jobs(trials()))).isEqualTo(7);
        assertThat(needOfX(cluster().group("g", null, 2).jobs(trials()))).isEqualTo(6);
        assertThat(needOfX(cluster().group("g", null, null).jobs(trials()))).isEqualTo(7);
    }

    private static JobFixture[] trials() {
        return new JobFixture[] {
            job("a").tenant("x").slots(2).group("g"),
            job("b").tenant("x").slots(4).group("g"),
            job("c").tenant("x").slots(1).group("g")
        };
    }

    @Test
    void theNeedOfThoseBelowCountsToo() {
        assertThat(needOfX(cluster()
                        .jobs(
                                job("a").tenant("x").slots(2),
                                job("b").tenant("xa").slots(3),
                                job("c").slots(4))))
                .isEqualTo(5);
    }

    @Test
    void aWaitingJobNeedsEveryTypeOnWhichItCouldStart() {
        ReservedDemand demand = new ReservedDemand(cluster()
                .node(NodeFixture.node("v", 4).type("V100"))
                .jobs(
                        job("a").tenant("x").slots(2).speedsOn("A100", 100, 200).speedsOn("V100", 50, 90),
                        job("b").tenant("x").slots(1),
                        job("c").tenant("x").slots(1).types("V100"))
                .build());

        assertThat(demand.of("x", "A100")).as("a and b").isEqualTo(300);
        assertThat(demand.of("x", "V100")).as("a alone: c knows no speed there").isEqualTo(200);
    }

    @Test
    void aRunningJobNeedsTheTypeOnWhichItRuns() {
        ReservedDemand demand = new ReservedDemand(cluster()
                .node(NodeFixture.node("v", 4).type("V100"))
                .job(job("a").tenant("x")
                        .slots(1, 4)
                        .speedsOn("A100", 100)
                        .speedsOn("V100", 50)
                        .on("n1", 4))
                .build());

        assertThat(demand.of("x", "A100")).isEqualTo(100);
        assertThat(demand.of("x", "V100")).isZero();
    }

    @Test
    void aTenantKeepsItsNeedWithinItsNominalQuotaAndWhatItNeverLends() {
        ReservedDemand demand =
                new ReservedDemand(cluster().job(job("a").tenant("x").slots(3)).build());
        Tenant x = new Tenant("x", "root", 1, Map.of());

        assertThat(demand.partsOf(x, "A100", new Quota(4, null, null))).isEqualTo(300);
        assertThat(demand.partsOf(x, "A100", new Quota(2, null, null))).isEqualTo(200);
        assertThat(demand.partsOf(x, "A100", new Quota(6, null, 1))).isEqualTo(500);
        assertThat(demand.partsOf(x, "A100", new Quota(6, null, 5))).isEqualTo(300);
    }

    @Test
    void aShareOfADeviceIsDemandedInParts() {
        ReservedDemand demand = new ReservedDemand(cluster()
                .jobs(
                        job("a").tenant("x").share(0.25),
                        job("b").tenant("x").share(0.3),
                        job("c").tenant("x").slots(1))
                .build());

        assertThat(demand.of("x", "A100")).isEqualTo(155);
    }
}
