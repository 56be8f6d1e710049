package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.rounds.RoundObserver.RoundReport;

/** Rounds, one at a time, for tests of what comes after them. */
public final class TestRounds {
    private final RoundRunner runner;
    private final LeaseStore leases;
    private Lease lease;

    TestRounds(RoundRunner runner, LeaseStore leases) {
        this.runner = runner;
        this.leases = leases;
    }

    /** Takes the lease; once for each test. */
    public void begin() {
        lease = new Lease("test", leases.take("test", 600).orElseThrow());
    }

    /** Runs a round, which must not fail. */
    public RoundReport run() {
        RoundReport report = runner.run(lease, "test");
        assertThat(report.outcome().status())
                .as(report.outcome().error())
                .isIn(RoundStatus.PUBLISHED, RoundStatus.UNCHANGED);
        return report;
    }
}
