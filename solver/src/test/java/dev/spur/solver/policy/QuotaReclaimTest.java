package dev.spur.solver.policy;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.job.Job;
import dev.spur.model.tenant.Quota;
import org.junit.jupiter.api.Test;

/** Borrowing is a loan: tenants x and y have 4 slots each, x uses all 8. */
class QuotaReclaimTest {
    private static ProblemFixture borrowed(Quota x, Quota y) {
        ProblemFixture fixture = problem().nodes(8).tenant("x", "root", x).tenant("y", "root", y);
        for (int i = 0; i < 8; i++) {
            fixture.job(
                    job("x" + i).tenant("x").weight(1 + i).priority(4).work(1e8).on("n1", i, 1));
        }
        return fixture;
    }

    private static long running(ClusterSimulation world, String tenant) {
        return world.jobs().stream()
                .filter(job -> job.tenant().equals(tenant) && job.allocation() != null)
                .count();
    }

    @Test
    void aTenantWithinItsNominalQuotaTakesBackInTheNextRoundWhatOthersBorrowed() {
        Quota four = new Quota(4, null, null);
        ClusterSimulation world = new ClusterSimulation(borrowed(four, four).build(), 60);
        world.round();
        assertThat(running(world, "x")).isEqualTo(8);

        for (int i = 0; i < 3; i++) {
            world.submit(job("y" + i).tenant("y").weight(0.01).work(1e8));
        }
        world.round();

        assertThat(running(world, "y")).isEqualTo(3);
        assertThat(running(world, "x")).isEqualTo(5);
        assertThat(world.jobs())
                .filteredOn(job -> job.tenant().equals("x") && job.allocation() != null)
                .extracting(Job::id)
                .as("those that are worth most stay")
                .containsExactlyInAnyOrder("x3", "x4", "x5", "x6", "x7");
    }

    @Test
    void beyondItsNominalQuotaItCompetes() {
        Quota four = new Quota(4, null, null);
        ClusterSimulation world = new ClusterSimulation(borrowed(four, four).build(), 60);
        for (int i = 0; i < 8; i++) {
            world.submit(job("y" + i).tenant("y").weight(0.01).work(1e8));
        }

        world.round();

        assertThat(running(world, "y")).isEqualTo(4);
        assertThat(running(world, "x")).isEqualTo(4);
    }

    @Test
    void whatIsLentComesBackAsJobsEnd() {
        Quota four = new Quota(4, null, null);
        ClusterSimulation world = new ClusterSimulation(borrowed(four, four).build(), 60);
        world.submit(job("y0").tenant("y").slots(4).work(4 * 100 * 50));

        world.round();
        assertThat(world.runs("y0")).isTrue();
        assertThat(running(world, "x")).isEqualTo(4);
        world.rounds(3);

        assertThat(world.hasEnded("y0")).isTrue();
        assertThat(running(world, "x")).isEqualTo(8);
    }

    @Test
    void whatMayNotBeTouchedIsTakenBackLater() {
        ProblemFixture fixture = problem()
                .nodes(4)
                .tenant("x", "root", new Quota(2, null, null))
                .tenant("y", "root", new Quota(2, null, null))
                .job(job("x").tenant("x").slots(4).minRun(1090).work(1e8).on("n1", 4));
        ClusterSimulation world = new ClusterSimulation(fixture.build(), 60);
        world.submit(job("y").tenant("y").slots(2).weight(0.01).work(1e8));

        world.round();
        assertThat(world.runs("y")).as("at 1,000 x is left alone").isFalse();
        world.rounds(2);

        assertThat(world.runs("y")).isTrue();
    }

    @Test
    void aBorrowingLimitCapsAndALendingLimitKeeps() {
        Quota atMostOneMore = new Quota(4, 1, null);
        Quota lendsTwo = new Quota(4, null, 2);
        ClusterSimulation capped = new ClusterSimulation(
                borrowed(atMostOneMore, new Quota(4, null, null)).build(), 60);
        ClusterSimulation retained = new ClusterSimulation(
                borrowed(new Quota(4, null, null), lendsTwo).build(), 60);

        capped.round();
        retained.round();

        assertThat(running(capped, "x")).isEqualTo(5);
        assertThat(running(retained, "x")).isEqualTo(6);
    }
}
