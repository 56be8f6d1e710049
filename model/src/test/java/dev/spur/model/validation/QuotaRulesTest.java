package dev.spur.model.validation;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.PlanFixture.plan;
import static dev.spur.model.PlanFixture.standStill;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.PlanFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.tenant.Quota;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the judge asks of tenants. Eight slots; a job {@code x6} asks for 6 slots for tenant {@code x}. */
class QuotaRulesTest {
    private static final String LIMIT = "quotasHold";
    private static final String NOT_LENT = "reservedDemandIsNotBorrowed";

    /** Siblings x and y, each with a nominal quota of 4. */
    private static ProblemFixture siblings() {
        return problem()
                .nodes(16)
                .tenant("x", "root", new Quota(4, null, null))
                .tenant("y", "root", new Quota(4, null, null));
    }

    private static JobFixture asks(String name) {
        return job(name).tenant(name.replaceAll("\\d", "")).slots(Integer.parseInt(name.replaceAll("\\D", "")));
    }

    /** The rules broken if these jobs run and the other jobs of the problem wait. */
    private static List<String> broken(ProblemFixture fixture, String... running) {
        PlanFixture plan = plan(fixture.build());
        int first = 0;
        for (String name : running) {
            int slots = Integer.parseInt(name.replaceAll("\\D", ""));
            plan.run(name, allocation(1000, piece("n1", first, slots)));
            first += slots;
        }
        return plan.brokenRules();
    }

    @Nested
    class QuotasHold {
        @Test
        void aTenantMayUseItsNominalQuotaAndItsBorrowingLimit() {
            Quota quota = new Quota(4, 1, null);

            assertThat(broken(siblings().tenant("x", "root", quota).job(asks("x5")), "x5"))
                    .isEmpty();
            assertThat(broken(siblings().tenant("x", "root", quota).job(asks("x6")), "x6"))
                    .containsExactly(LIMIT);
        }

        @Test
        void theLimitOfATenantCoversThoseBelowIt() {
            ProblemFixture tree = problem()
                    .nodes(16)
                    .tenant("x", "root", new Quota(6, 0, null))
                    .tenant("xa", "x", null)
                    .tenant("xb", "xa", null)
                    .jobs(asks("xa4"), asks("xb2"), asks("xb3"));

            assertThat(broken(tree, "xa4", "xb2")).isEmpty();
            assertThat(broken(tree, "xa4", "xb3")).contains(LIMIT);
        }

        @Test
        void whatATenantBelowKeepsForItselfCountsAsUsed() {
            ProblemFixture tree = problem()
                    .nodes(16)
                    .tenant("x", "root", new Quota(6, 0, null))
                    .tenant("xa", "x", new Quota(4, null, null))
                    .tenant("xb", "x", new Quota(2, null, null));

            assertThat(broken(tree.jobs(asks("xa5"), asks("xb1")), "xa5", "xb1"))
                    .isEmpty();
            assertThat(broken(tree.jobs(asks("xb2")), "xa5", "xb1")).contains(LIMIT);
        }

        @Test
        void aTypeWithoutAQuotaIsNotLimited() {
            ProblemFixture none = problem().nodes(16).tenant("x", "root", null).job(asks("x16"));

            assertThat(broken(none, "x16")).isEmpty();
        }

        @Test
        void whatMayNotBeTouchedIsAlwaysAllowedButNothingBesideIt() {
            ProblemFixture held = siblings()
                    .tenant("x", "root", new Quota(4, 1, null))
                    .jobs(asks("x7").notPreemptible().on("n1", 7), asks("x1"));

            assertThat(standStill(held.build()).brokenRules()).isEmpty();
            assertThat(standStill(held.build())
                            .run("x1", allocation(1000, piece("n1", 7, 1)))
                            .brokenRules())
                    .contains(LIMIT);
        }
    }

    @Nested
    class BorrowersLeaveWhatIsNotLent {
        @Test
        void siblingsLendWhatTheyDoNotNeed() {
            assertThat(broken(siblings().jobs(asks("x6"), asks("y2")), "x6", "y2"))
                    .isEmpty();
            assertThat(broken(siblings().jobs(asks("x7"), asks("y2")), "x7", "y2"))
                    .containsExactly(NOT_LENT);
        }

        @Test
        void aWaitingJobOfTheLenderTakesItsNeedBack() {
            assertThat(broken(siblings().jobs(asks("x5"), asks("y2")), "x5")).isEmpty();
            assertThat(broken(siblings().jobs(asks("x5"), asks("y2"), asks("y1")), "x5"))
                    .isEmpty();
            assertThat(broken(siblings().jobs(asks("x5"), asks("y2"), asks("y4")), "x5"))
                    .containsExactly(NOT_LENT);
        }

        @Test
        void aNeedBeyondTheNominalQuotaIsNotKept() {
            assertThat(broken(siblings().jobs(asks("x4"), asks("y9")), "x4")).isEmpty();
        }

        @Test
        void theLendingLimitKeepsTheRestAtHome() {
            Quota lendsOne = new Quota(4, null, 1);

            assertThat(broken(siblings().tenant("y", "root", lendsOne).job(asks("x5")), "x5"))
                    .isEmpty();
            assertThat(broken(siblings().tenant("y", "root", lendsOne).job(asks("x6")), "x6"))
                    .containsExactly(NOT_LENT);
        }

        @Test
        void siblingsUnderATenantWithAQuotaAreBoundByThatAlone() {
            ProblemFixture tree = problem()
                    .nodes(16)
                    .tenant("top", "root", new Quota(10, null, null))
                    .tenant("x", "top", new Quota(4, null, null))
                    .tenant("y", "top", new Quota(2, null, null))
                    .jobs(asks("x10"), asks("x11"));

            assertThat(broken(tree, "x10")).isEmpty();
            assertThat(broken(tree, "x11")).containsExactly(NOT_LENT);
        }

        @Test
        void siblingsWithAndWithoutAQuotaDiffer() {
            ProblemFixture mixed = problem()
                    .nodes(16)
                    .tenant("x", "root", new Quota(4, null, null))
                    .tenant("free", "root", null)
                    .jobs(asks("x4"), asks("free8"), asks("x5"));

            assertThat(broken(mixed, "x4", "free8")).isEmpty();
            assertThat(broken(mixed, "x5")).containsExactly(NOT_LENT);
        }

        @Test
        void whatMayNotBeTouchedIsAlwaysAllowedButNothingBesideIt() {
            ProblemFixture held = siblings().jobs(asks("x9").notPreemptible().on("n1", 9), asks("y1"));

            assertThat(standStill(held.build()).brokenRules()).isEmpty();
            assertThat(standStill(siblings()
                                    .jobs(asks("x9").notPreemptible().on("n1", 9), asks("x1"))
                                    .build())
                            .run("x1", allocation(1000, piece("n1", 9, 1)))
                            .brokenRules())
                    .containsExactly(NOT_LENT);
        }
    }
}
