package dev.spur.service.planningdomain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.service.planningdomain.CrossDomainLimits.Change;
import dev.spur.service.planningdomain.CrossDomainLimits.Holding;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CrossDomainLimitsTest {
    private static Tenant tenant(String name, String parent, Quota quota) {
        return new Tenant(name, parent, 1, quota == null ? Map.of() : Map.of("A100", quota));
    }

    /** So many slots of its own, and none of anybody else. */
    private static Quota own(int slots) {
        return new Quota(slots, 0, null);
    }

    private static Quota borrowing(int slots) {
        return new Quota(slots, null, null);
    }

    /** Job {@code tenant-name}, which is to start on so many slots. */
    private static Change start(String job, int slots) {
        return new Change(job, allocation(slots));
    }

    private static Allocation allocation(int slots) {
        var devices = IntStream.range(0, slots).mapToObj(d -> "d" + d).toList();
        var configuration = new Configuration("main", "A100", List.of(slots), SyncStrategy.ALL_REDUCE, 0, 64, 0);
        return new Allocation(configuration, List.of(new NodeShare("n", devices)), List.of(), 0);
    }

    private static Holding held(String job, int slots) {
        return new Holding(job, tenantOf(job), null, "A100", slots);
    }

    private static String tenantOf(String job) {
        return job.substring(0, job.indexOf('-'));
    }

    private static Set<String> dropped(List<Tenant> tenants, List<Holding> held, Change... changes) {
        CrossDomainLimits limits = new CrossDomainLimits(held, tenants, List.of());
        List.of(changes).forEach(change -> limits.with(change.jobId(), tenantOf(change.jobId()), null));
        return limits.exceededBy(List.of(changes)).keySet();
    }

    @Nested
    class WhatTenantsBelowHaveOfTheirOwn {
        private final List<Tenant> tree =
                List.of(tenant("top", null, own(4)), tenant("left", "top", own(3)), tenant("right", "top", own(3)));

        @Test
        void isTheirsThoughTheTenantAboveHasLess() {
            assertThat(dropped(tree, List.of(held("left-a", 3)), start("right-b", 3)))
                    .isEmpty();
        }

        @Test
        void isNotExceeded() {
            assertThat(dropped(tree, List.of(held("left-a", 3)), start("right-b", 3), start("top-c", 1)))
                    .containsExactly("top-c");
        }

        @Test
        void countsFromBelowATenantWithoutAQuotaOfItsOwn() {
            List<Tenant> deep = List.of(
                    tenant("top", null, own(1)),
                    tenant("mid", "top", null),
                    tenant("left", "mid", own(3)),
                    tenant("right", "mid", own(2)));

            assertThat(dropped(deep, List.of(held("left-a", 3)), start("right-b", 2)))
                    .isEmpty();
            assertThat(dropped(deep, List.of(held("left-a", 3)), start("right-b", 2), start("mid-c", 1)))
                    .containsExactly("mid-c");
        }

        @Test
        void isTheirsBesideOthersWhoBorrow() {
            List<Tenant> beside = List.of(
                    tenant("one", null, borrowing(1)),
                    tenant("below", "one", own(3)),
                    tenant("two", null, borrowing(2)));

            assertThat(dropped(beside, List.of(held("two-a", 2)), start("below-b", 3)))
                    .isEmpty();
            assertThat(dropped(beside, List.of(held("two-a", 2)), start("below-b", 3), start("two-c", 1)))
                    .containsExactly("two-c");
        }
    }

    @Nested
    class WhatIsTooMuch {
        private final List<Tenant> one = List.of(tenant("one", null, own(4)));

        @Test
        void isTakenFromTheEndOfThePlanAndNoMoreThanNeeded() {
            assertThat(dropped(one, List.of(held("one-a", 1)), start("one-b", 2), start("one-c", 1), start("one-d", 2)))
                    .containsExactly("one-d");
        }

        @Test
        void isNotTakenFromWhoHoldsItAlready() {
            assertThat(dropped(one, List.of(held("one-a", 5)), start("one-b", 1), start("one-a", 4)))
                    .containsExactly("one-b");
        }

        @Test
        void isNothingOfAnotherTenant() {
            List<Tenant> both = List.of(tenant("one", null, own(4)), tenant("two", null, own(4)));

            assertThat(dropped(both, List.of(held("one-a", 4)), start("one-c", 1), start("two-b", 4)))
                    .containsExactly("one-c");
        }
    }
}
