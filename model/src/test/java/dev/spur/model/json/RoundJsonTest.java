package dev.spur.model.json;

import static dev.spur.model.PreparationFixture.preparation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.JobFixture;
import dev.spur.model.PlanFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.Problems;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.dataprep.LendingSettings;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

class RoundJsonTest {
    private final RoundProblem problem =
            Problems.problem(List.of(Problems.node("n1", 4)), List.of(Problems.job("j1", 1, 4)));

    @Test
    void aProblemSurvivesTheWayThroughJson() {
        assertThat(RoundJson.readProblem(RoundJson.write(problem))).isEqualTo(problem);
    }

    @Test
    void roundsWithoutGroupsAreWrittenAsBeforeThereWereAny() {
        String text = RoundJson.write(problem);

        assertThat(text).doesNotContain("group");
        assertThat(RoundJson.readProblem(text).groups()).isEmpty();
    }

    @Test
    void groupsSurviveTheWayThroughJson() {
        RoundProblem grouped = ProblemFixture.problem()
                .nodes(4)
                .group("g", 3, null)
                .job(JobFixture.job("a").group("g"))
                .build();

        assertThat(RoundJson.readProblem(RoundJson.write(grouped))).isEqualTo(grouped);
    }

    @Test
    void roundsInWhichNoSpeedDependsOnHostsAreWrittenAsBefore() {
        RoundProblem held = ProblemFixture.problem()
                .nodes(4)
                .job(JobFixture.job("a").host(3, 8).on("n1", 2))
                .build();

        String text = RoundJson.write(held);

        assertThat(text)
                .doesNotContain("hostSensitivity", "\"host\":null")
                .containsOnlyOnce("\"host\":{\"cpusPerSlot\":3.0,\"memoryGiBPerSlot\":8.0}");
        assertThat(RoundJson.readProblem(text)).isEqualTo(held);
    }

    @Test
    void grantsOfHostsSurviveTheWayThroughJson() {
        RoundProblem granted = ProblemFixture.problem()
                .nodes(4)
                .job(JobFixture.job("a")
                        .host(3, 8)
                        .levels(new HostLevel(3, 8, 1), new HostLevel(9, 8, 2.4))
                        .holding(JobFixture.allocation(0, JobFixture.piece("n1", 0, 1))
                                .withHost(new HostGrant(9, 8))))
                .build();

        assertThat(RoundJson.readProblem(RoundJson.write(granted))).isEqualTo(granted);
    }

    @Test
    void roundsWithoutPreparationsAreWrittenAsBeforeThereWereAny() {
        String text = RoundJson.write(problem);

        assertThat(text).doesNotContain("preparation", "memoryUse");
        assertThat(RoundJson.readProblem(text).preparations()).isEmpty();
    }

    @Test
    void settingsFromBeforeMemoryWasLentHaveTheDefault() {
        String text = RoundJson.write(problem);
        String old = text.replaceFirst(",\"lending\":\\{[^}]*}", "");

        assertThat(old).isNotEqualTo(text);
        assertThat(RoundJson.readProblem(old).settings().lending()).isEqualTo(LendingSettings.DEFAULT);
    }

    @Test
    void preparationsSurviveTheWayThroughJson() {
        RoundProblem preparing = ProblemFixture.problem()
                .nodes(4, 4)
                .used("n1", 3.5, 0.25)
                .preparations(preparation("p").on("n1", 20, new Loan("n2", 12)).activity("n2", 5), preparation("q"))
                .build();

        assertThat(RoundJson.readProblem(RoundJson.write(preparing))).isEqualTo(preparing);
    }

    @Test
    void aPlanSaysNothingOfPreparationsWhereThereAreNone() {
        RoundPlan plan = PlanFixture.plan(problem).build();
        SolutionQuality quality = SolutionQuality.of(SolveStatus.OPTIMAL, 0, 0, 0);
        RoundPlan preparing = plan.withPreparations(new PreparationPlan(List.of(), List.of(), quality));

        assertThat(RoundJson.write(plan)).doesNotContain("preparations");
        assertThat(RoundJson.readPlan(RoundJson.write(plan))).isEqualTo(plan);
        assertThat(RoundJson.readPlan(RoundJson.write(preparing))).isEqualTo(preparing);
    }

    @Test
    void anUnknownFieldIsRefused() {
        String text = RoundJson.write(problem).replaceFirst("\\{", "{\"surprise\":1,");

        assertThatThrownBy(() -> RoundJson.readProblem(text))
                .isInstanceOf(JacksonException.class)
                .hasMessageContaining("surprise");
    }

    @Test
    void aMissingNumberIsRefusedRatherThanReadAsZero() {
        String text = RoundJson.write(problem).replace("\"now\":1000.0,", "");

        assertThatThrownBy(() -> RoundJson.readProblem(text))
                .isInstanceOf(JacksonException.class)
                .hasMessageContaining("now");
    }
}
