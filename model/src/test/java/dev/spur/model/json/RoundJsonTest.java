package dev.spur.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.Problems;
import dev.spur.model.round.RoundProblem;
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
