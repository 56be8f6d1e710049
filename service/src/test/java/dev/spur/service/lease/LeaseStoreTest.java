package dev.spur.service.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class LeaseStoreTest extends ServiceTest {
    @Autowired
    private LeaseStore leases;

    /** The database clock is set back by an hour: for it, that is as if a lease ended an hour later. */
    private void setTheClockBack() {
        world.sql("update planner_lease set expires_at = expires_at + interval '1 hour'");
        world.sql("update planner_replica set seen_at = seen_at + interval '1 hour'");
    }

    @Test
    void aLeaseOfTheTimeBeforeTheClockWasSetBackIsTakenUnderAHigherEpoch() {
        long before = leases.take("killed", 8).orElseThrow();
        assertThat(leases.take("other", 60)).isEmpty();

        setTheClockBack();

        assertThat(leases.take("other", 60).orElseThrow()).isGreaterThan(before);
        assertThat(leases.keep(null, "killed", before, 8)).isFalse();
        assertThat(leases.take("third", 8)).isEmpty();
    }

    @Test
    void aDomainOfAKilledPlannerIsTakenWhenTheClockWasSetBack() {
        world.sql("insert into planning_domain (name) values ('west')");
        world.sql(
                "insert into planner_lease (name, holder, lease_term, expires_at) values ('planner/west', '', 0, now())");
        world.sql("update planner_lease set expires_at = 'infinity' where name = 'planner'");
        leases.planners("killed", 8);
        long before = leases.take("west", "killed", 8).orElseThrow();

        setTheClockBack();

        assertThat(leases.planners("other", 8)).isEqualTo(1);
        assertThat(leases.take("west", "other", 8).orElseThrow()).isGreaterThan(before);
        assertThat(leases.take("other", 8))
                .as("everything, although it is divided")
                .isEmpty();
    }

    @Test
    void aLeaseIsGivenBackByWhoHoldsItAndUnderItsEpochAlone() {
        long before = leases.take("one", 600).orElseThrow();
        world.sql("update planner_lease set expires_at = clock_timestamp()");
        long now = leases.take("one", 600).orElseThrow();

        leases.removeCandidate(null, "one", before);
        leases.removeCandidate(null, "other", now);
        assertThat(leases.take("other", 600)).isEmpty();

        leases.removeCandidate(null, "one", now);
        assertThat(leases.take("other", 600)).isPresent();
    }
}
