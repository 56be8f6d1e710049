package dev.spur.service.plans;

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
    }

    @Test
    void aLeaseOfTheTimeBeforeTheClockWasSetBackIsTakenUnderAHigherEpoch() {
        long before = leases.take("killed", 8).orElseThrow();
        assertThat(leases.take("other", 60)).isEmpty();

        setTheClockBack();

        assertThat(leases.take("other", 60).orElseThrow()).isGreaterThan(before);
        assertThat(leases.keep(new Lease("killed", before), 8)).isFalse();
        assertThat(leases.take("third", 8)).isEmpty();
    }

    @Test
    void aLeaseIsGivenBackByWhoHoldsItAndUnderItsEpochAlone() {
        long before = leases.take("one", 600).orElseThrow();
        world.sql("update planner_lease set expires_at = clock_timestamp()");
        long now = leases.take("one", 600).orElseThrow();

        leases.release(new Lease("one", before));
        leases.release(new Lease("other", now));
        assertThat(leases.take("other", 600)).isEmpty();

        leases.release(new Lease("one", now));
        assertThat(leases.take("other", 600)).isPresent();
    }
}
