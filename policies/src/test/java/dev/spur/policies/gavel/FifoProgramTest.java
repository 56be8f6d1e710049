package dev.spur.policies.gavel;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.RoundSimulation;
import dev.spur.solver.policy.Decision;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FifoProgramTest {
    private final FifoProgram policy = new FifoProgram(1);

    /** Four slots of the type that is first by name, and three of the one that is last. */
    private static ProblemFixture cluster() {
        return problem().node("first", 4).node(NodeFixture.node("last", 3).type("V100"));
    }

    private static JobFixture endless(String id, double arrival, int slots) {
        return job(id).arrival(arrival)
                .slots(slots)
                .speedsOn("A100", 100, 200, 300, 400)
                .speedsOn("V100", 100, 200, 300, 400)
                .work(1e9)
                .restartPenalty(0);
    }

    private static Map<String, String> types(Decision decision) {
        Map<String, String> types = new TreeMap<>();
        decision.allocations()
                .forEach((id, allocation) ->
                        types.put(id, allocation.configuration().acceleratorType()));
        return types;
    }

    private static RoundProblem with(RoundProblem round, Job newJob) {
        List<Job> all = new ArrayList<>(round.jobs());
        all.add(newJob);
        return round.withJobs(all);
    }

    @Test
    void theLastTypeIsGivenAwaySeveralTimesOverAndThoseWhoHaveItTakeTurns() {
        RoundProblem round = cluster()
                .jobs(endless("a", 1, 2), endless("b", 2, 2), endless("c", 3, 2))
                .build();
        List<Map<String, String>> ran = new ArrayList<>();

        for (int i = 0; i < 6; i++) {
            Decision decision = policy.decide(round);
            ran.add(types(decision));
            round = RoundSimulation.next(round, decision, 360);
        }

        assertThat(ran).allSatisfy(types -> assertThat(types).hasSize(1).containsValue("V100"));
        assertThat(ran).filteredOn(types -> types.containsKey("a")).hasSize(2);
        assertThat(ran).filteredOn(types -> types.containsKey("b")).hasSize(2);
        assertThat(ran).filteredOn(types -> types.containsKey("c")).hasSize(2);
    }

    @Test
    void theTypeDrawnIsThatWhichIsNotOfferedAnyMoreWhenTheLastIsUsedUp() {
        RoundProblem problem =
                cluster().jobs(endless("a", 1, 3), endless("b", 2, 1)).build();
        Set<Map<String, String>> seen = new HashSet<>();

        for (long seed = 0; seed < 20; seed++) {
            seen.add(types(new FifoProgram(seed).decide(problem)));
        }

        assertThat(seen).containsExactlyInAnyOrder(Map.of("a", "V100"), Map.of("a", "V100", "b", "A100"));
    }

    @Test
    void aTypeThatIsGivenAwaySeveralTimesOverIsNotOfferedInTheNextDeal() {
        RoundProblem first = cluster()
                .jobs(endless("a", 1, 2), endless("b", 2, 2), endless("c", 3, 2))
                .build();
        RoundProblem next = with(
                RoundSimulation.next(first, policy.decide(first), 1920),
                endless("d", 4, 2).build());

        assertThat(types(policy.decide(next))).containsEntry("d", "A100");
    }

    @Test
    void thePlaceOfAJobThatHasEndedGoesToTheFirstThatWaits() {
        RoundProblem problem =
                afterTheEndOf("main/A100/", cluster().jobs(endless("a", 6, 2)).build());

        assertThat(types(policy.decide(problem))).isEqualTo(Map.of("a", "A100"));
    }

    @Test
    void ifThePlaceIsTooSmallTheFirstThatWaitsGoesOnWaiting() {
        JobFixture four = endless("four", 6, 4);
        RoundProblem problem = afterTheEndOf(
                "main/V100/", cluster().jobs(four, endless("two", 7, 2)).build());

        assertThat(types(policy.decide(problem))).isEqualTo(Map.of("two", "V100"));
    }

    private static RoundProblem afterTheEndOf(String type, RoundProblem problem) {
        return problem.withMemory(new RoundMemory(Map.of(), Map.of("gavel/fifo/" + type + "gone", 5.0)));
    }

    @Test
    void aNewcomerGetsNoTypeBeforeTheyAreDealtAgain() {
        RoundProblem first = cluster().jobs(endless("a", 1, 2)).build();
        Decision decision = policy.decide(first);
        Job newJob = endless("b", 2, 1).build();

        RoundProblem soon = with(RoundSimulation.next(first, decision, 1919), newJob);
        RoundProblem late = with(RoundSimulation.next(first, decision, 1920), newJob);

        assertThat(types(policy.decide(soon))).containsOnlyKeys("a");
        assertThat(types(policy.decide(late))).containsOnlyKeys("a", "b");
    }

    @Test
    void whoHasEndedIsRememberedUntilTypesAreDealtAgain() {
        RoundProblem round = cluster().jobs(endless("a", 1, 2).work(1)).build();
        round = RoundSimulation.next(round, policy.decide(round), 360);
        round = with(round, endless("b", 2, 1).build());

        round = RoundSimulation.next(round, policy.decide(round), 360);

        assertThat(round.memory().counters()).containsKey("gavel/fifo/main/V100/a");
    }

    @Test
    void aTypeOnWhichAJobDoesNotRunIsPassedOver() {
        JobFixture onFirstAlone = job("a").slots(2).speedsOn("A100", 100, 200);

        assertThat(types(policy.decide(cluster().jobs(onFirstAlone).build()))).isEqualTo(Map.of("a", "A100"));
    }
}
