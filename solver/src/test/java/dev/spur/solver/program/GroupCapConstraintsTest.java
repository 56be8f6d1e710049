package dev.spur.solver.program;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** That groups stay within their caps. A job {@code a6} of group {@code g} asks for 6 slots. */
class GroupCapConstraintsTest {
    private static JobFixture trial(String name) {
        return job(name).group("g").slots(Integer.parseInt(name.replaceAll("\\D", "")));
    }

    private static boolean hold(ProblemFixture fixture, String... started) {
        return ProgramFeasibility.of(fixture).start(started).hold();
    }

    @Nested
    class GroupsStayWithinTheirCaps {
        @Test
        void theJobsOfAGroupHoldAtMostItsSlotsTogether() {
            ProblemFixture search =
                    problem().nodes(16).group("g", 7, null).jobs(trial("a4"), trial("b3"), trial("c4"), job("d"));

            assertThat(hold(search, "a4", "b3", "d")).isTrue();
            assertThat(hold(search, "a4", "c4")).isFalse();
        }

        @Test
        void atMostSoManyJobsOfAGroupRun() {
            ProblemFixture search =
                    problem().nodes(16).group("g", null, 2).jobs(trial("a1"), trial("b1"), trial("c1"), job("d"));

            assertThat(hold(search, "a1", "b1", "d")).isTrue();
            assertThat(hold(search, "a1", "b1", "c1")).isFalse();
        }

        @Test
        void eachGroupHasItsOwnCap() {
            ProblemFixture searches = problem()
                    .nodes(16)
                    .group("g", 4, null)
                    .group("h", 4, null)
                    .jobs(trial("a4"), trial("b4").group("h"), trial("c4"));

            assertThat(hold(searches, "a4", "b4")).isTrue();
            assertThat(hold(searches, "a4", "c4")).isFalse();
        }

        @Test
        void aLoweredCapTakesSlotsFromThoseWhoMayBeTouched() {
            ProblemFixture lowered = problem()
                    .nodes(16)
                    .group("g", 5, null)
                    .jobs(
                            trial("a4").notPreemptible().on("n1", 0, 4),
                            trial("b4").on("n1", 4, 4),
                            trial("c1"));

            assertThat(ProgramFeasibility.of(lowered).keep("a4").start("c1").hold())
                    .isTrue();
            assertThat(ProgramFeasibility.of(lowered).keep("a4", "b4").hold()).isFalse();
        }

        @Test
        void aCapNeverForbidsWhatMayNotBeTouched() {
            ProblemFixture lowered = problem()
                    .nodes(16)
                    .group("g", 4, 1)
                    .jobs(
                            trial("a4").notPreemptible().on("n1", 0, 4),
                            trial("b4").notPreemptible().on("n1", 4, 4),
                            trial("c1"));

            assertThat(ProgramFeasibility.of(lowered).keep("a4", "b4").hold()).isTrue();
            assertThat(ProgramFeasibility.of(lowered)
                            .keep("a4", "b4")
                            .start("c1")
                            .hold())
                    .isFalse();
        }
    }
}
