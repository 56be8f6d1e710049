package dev.spur.solver.quota;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.tenant.Quota;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tenants x and y with a nominal quota of 4 each; y reserves 3 of them for a pending job. */
class QuotaUsageTest {
    private final QuotaSystem system = new QuotaSystem(problem()
            .nodes(16)
            .tenant("x", "root", new Quota(4, 2, null))
            .tenant("y", "root", new Quota(4, null, null))
            .job(job("pending").tenant("y").slots(3))
            .build());
    private final QuotaUsage usage = new QuotaUsage(system);
    private final int x = system.accountOf("x", "A100");
    private final int y = system.accountOf("y", "A100");
    private final int root = system.above(x);

    @Test
    void anAccountClaimsItsReservedSlotsWithoutUse() {
        assertThat(usage.use(y)).isZero();
        assertThat(usage.claim(y)).isEqualTo(3);
        assertThat(usage.use(root)).isEqualTo(3);
    }

    @Test
    void useWithinReservedSlotsClaimsNothingMore() {
        usage.add(y, 2);

        assertThat(usage.use(y)).isEqualTo(2);
        assertThat(usage.use(root)).isEqualTo(3);
        usage.add(y, 2);
        assertThat(usage.claim(y)).isEqualTo(4);
        assertThat(usage.use(root)).isEqualTo(4);
    }

    @Test
    void removalRestoresTheUse() {
        usage.add(x, 5);
        usage.add(y, 4);
        usage.add(y, -4);
        usage.add(x, -5);

        assertThat(usage.use(x)).isZero();
        assertThat(usage.use(y)).isZero();
        assertThat(usage.use(root)).isEqualTo(3);
    }

    @Nested
    class Blocking {
        @Test
        void theRootBlocksWhatWouldTakeReservedSlots() {
            assertThat(usage.blocking(x, 5)).isNegative();
            assertThat(usage.blocking(x, 6)).isEqualTo(root);
        }

        @Test
        void anAccountBlocksWhatIsBeyondItsOwnLimit() {
            assertThat(usage.blocking(x, 7)).isEqualTo(x);
        }

        @Test
        void reservedSlotsAreUsedUnderAFullRoot() {
            usage.add(x, 5);

            assertThat(usage.blocking(y, 3)).isNegative();
            assertThat(usage.blocking(y, 4)).isEqualTo(root);
        }

        @Test
        void aTenantWithoutAQuotaHasNoAccount() {
            assertThat(system.accountOf("x", "V100")).isNegative();
            assertThat(usage.blocking(-1, 1000)).isNegative();
        }
    }
}
