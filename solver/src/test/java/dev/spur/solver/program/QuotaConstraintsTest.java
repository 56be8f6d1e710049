package dev.spur.solver.program;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** That quotas hold. A job {@code x6} asks for 6 slots for tenant {@code x}. */
class QuotaConstraintsTest {
    private static JobFixture asks(String name) {
        return job(name).tenant(name.replaceAll("\\d", "")).slots(Integer.parseInt(name.replaceAll("\\D", "")));
    }

    private static boolean hold(ProblemFixture fixture, String... started) {
        return ProgramFeasibility.of(fixture).start(started).hold();
    }

    /** Siblings x and y, each with a nominal quota of 4. */
    private static ProblemFixture siblings() {
        return problem()
                .nodes(16)
                .tenant("x", "root", new Quota(4, null, null))
                .tenant("y", "root", new Quota(4, null, null));
    }

    @Test
    void aTenantMayUseItsNominalQuotaAndItsBorrowingLimit() {
        ProblemFixture limited =
                siblings().tenant("x", "root", new Quota(4, 1, null)).jobs(asks("x5"), asks("x6"));

        assertThat(hold(limited, "x5")).isTrue();
        assertThat(hold(limited, "x6")).isFalse();
    }

    @Test
    void siblingsLendWhatTheyDoNotNeed() {
        assertThat(hold(siblings().jobs(asks("x6"), asks("y2")), "x6", "y2")).isTrue();
        assertThat(hold(siblings().jobs(asks("x7"), asks("y2")), "x7", "y2")).isFalse();
    }

    @Test
    void slotsThatAreNotLentStayFree() {
        assertThat(hold(siblings().jobs(asks("x5"), asks("y3")), "x5")).isTrue();
        assertThat(hold(siblings().jobs(asks("x5"), asks("y4")), "x5")).isFalse();
        assertThat(hold(siblings().jobs(asks("x4"), asks("y9")), "x4")).isTrue();
    }

    @Test
    void theLendingLimitKeepsTheRestAtHome() {
        ProblemFixture lendsOne =
                siblings().tenant("y", "root", new Quota(4, null, 1)).jobs(asks("x5"), asks("x6"));

        assertThat(hold(lendsOne, "x5")).isTrue();
        assertThat(hold(lendsOne, "x6")).isFalse();
    }

    @Test
    void aJobThatIsNotPreemptibleDoesNotBorrow() {
        assertThat(hold(siblings().jobs(asks("x4").notPreemptible()), "x4")).isTrue();
        assertThat(hold(siblings().jobs(asks("x5").notPreemptible()), "x5")).isFalse();
        assertThat(hold(siblings().nonPreemptibleJobsMayBorrow().jobs(asks("x5").notPreemptible()), "x5"))
                .isTrue();
    }

    @Test
    void slotsThatDoNotExistAreNotLent() {
        ProblemFixture eightOfTwelve = problem()
                .nodes(8)
                .tenant("x", "root", new Quota(4, null, null))
                .tenant("y", "root", new Quota(8, null, null))
                .jobs(asks("x6"), asks("x7"), asks("y2"));

        assertThat(hold(eightOfTwelve, "x6")).isTrue();
        assertThat(hold(eightOfTwelve, "x7")).isFalse();
    }

    @Test
    void eachTypeHasQuotasOfItsOwn() {
        ProblemFixture both = siblings()
                .tenant(new Tenant(
                        "x", "root", 1, Map.of("A100", new Quota(4, 0, null), "V100", new Quota(2, 0, null))))
                .node(NodeFixture.node("v", 8).type("V100"))
                .jobs(
                        asks("x4"),
                        job("v2").tenant("x").slots(2).speedsOn("V100", 10, 20),
                        job("v3").tenant("x").slots(3).speedsOn("V100", 10, 20, 30));

        assertThat(hold(both, "x4", "v2")).isTrue();
        assertThat(hold(both, "v3")).isFalse();
    }

    /** A quota at the top, tenants with and without one below it, and one more level. */
    @Nested
    class ATreeOfThreeLevels {
        private static ProblemFixture tree() {
            return problem()
                    .nodes(32)
                    .tenant("top", "root", new Quota(10, 0, null))
                    .tenant("x", "top", new Quota(6, 1, null))
                    .tenant("xa", "x", null)
                    .tenant("xb", "x", new Quota(3, 0, 1))
                    .tenant("y", "top", null);
        }

        @Test
        void theTopLimitsThoseBelowItTogether() {
            ProblemFixture requested = tree().jobs(asks("xa4"), asks("y4"), asks("y5"));

            assertThat(hold(requested, "xa4", "y4"))
                    .as("4 beside 2 that xb does not lend, and 4")
                    .isTrue();
            assertThat(hold(requested, "xa4", "y5")).isFalse();
        }

        @Test
        void theMiddleLimitsThoseBelowIt() {
            assertThat(hold(tree().jobs(asks("xa5")), "xa5"))
                    .as("5 and 2 not lent are 7")
                    .isTrue();
            assertThat(hold(tree().jobs(asks("xa6")), "xa6")).isFalse();
            assertThat(hold(tree().jobs(asks("xa4"), asks("xb3")), "xa4", "xb3"))
                    .isTrue();
            assertThat(hold(tree().jobs(asks("xa5"), asks("xb3")), "xa5", "xb3"))
                    .isFalse();
        }

        @Test
        void theLeafHasItsOwnLimit() {
            assertThat(hold(tree().jobs(asks("xb3")), "xb3")).isTrue();
            assertThat(hold(tree().jobs(asks("xb4")), "xb4")).isFalse();
        }

        @Test
        void theNeedOfALeafIsOutOfReachForItsCousins() {
            ProblemFixture need = tree().jobs(asks("xb3"), asks("y7"), asks("y8"));

            assertThat(hold(need, "y7")).isTrue();
            assertThat(hold(need, "y8")).as("3 are kept for xb").isFalse();
        }
    }

    @Nested
    class WhatMayNotBeTouched {
        @Test
        void isAlwaysAllowedButNothingBesideIt() {
            ProblemFixture held = siblings()
                    .tenant("x", "root", new Quota(4, 1, null))
                    .jobs(asks("x7").notPreemptible().on("n1", 7), asks("x1"));

            assertThat(ProgramFeasibility.of(held).keep("x7").hold()).isTrue();
            assertThat(ProgramFeasibility.of(held).start("x1").hold()).isFalse();
        }

        @Test
        void doesNotTakeFromOthersWhatIsTheirs() {
            ProblemFixture held = siblings().jobs(asks("x7").notPreemptible().on("n1", 7), asks("y4"), asks("y1"));

            assertThat(ProgramFeasibility.of(held).start("y1").hold()).isTrue();
            assertThat(ProgramFeasibility.of(held).start("y4").hold()).isTrue();
        }
    }

    @Test
    void whatIsKeptCounts() {
        ProblemFixture retained = siblings().jobs(asks("x6").on("n1", 6), asks("y4"));

        assertThat(ProgramFeasibility.of(retained).keep("x6").hold())
                .as("y takes back what x borrowed")
                .isFalse();
        assertThat(ProgramFeasibility.of(retained).stop("x6").start("y4").hold())
                .isTrue();
    }
}
