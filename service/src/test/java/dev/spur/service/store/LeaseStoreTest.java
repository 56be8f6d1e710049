package dev.spur.service.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class LeaseStoreTest extends ServiceTest {
    @Autowired
    private LeaseStore leases;

    @Test
    void aLeaseIsGivenBackByWhoHoldsItAndUnderItsEpochAlone() {
        long before = leases.take("one", 600).orElseThrow();
        world.sql("update planner_lease set expires_at = clock_timestamp()");
        long now = leases.take("one", 600).orElseThrow();

        leases.release(null, "one", before);
        leases.release(null, "other", now);
        assertThat(leases.take("other", 600)).isEmpty();

        leases.release(null, "one", now);
        assertThat(leases.take("other", 600)).isPresent();
    }
}
