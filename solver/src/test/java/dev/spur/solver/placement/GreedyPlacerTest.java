package dev.spur.solver.placement;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GreedyPlacerTest {
    /** The last candidate of each job in a residual cluster, and the placer of the first class of nodes. */
    private static final class Trial {
        private final CandidateSet candidates;
        private final ResidualCluster room;
        private final GreedyPlacer placer;

        Trial(ProblemFixture problem) {
            candidates = CandidateGenerator.generate(problem.build());
            room = new ResidualCluster(candidates.clusterIndex());
            placer = new GreedyPlacer(
                    candidates, candidates.clusterIndex().classes().get(0), room);
        }

        List<Integer> gangs() {
            return IntStream.range(0, candidates.jobs())
                    .mapToObj(j -> candidates.end(j) - 1)
                    .toList();
        }

        Map<Integer, Map<Integer, Integer>> place() {
            return placer.place(gangs(), DevicePreference.none(candidates));
        }
    }

    @Test
    void aShareGoesToTheFullestNodeThatHoldsIt() {
        Trial trial = new Trial(problem().nodes(8, 8, 8).jobs(job("a").slots(3)));
        trial.room.take(1, 5, trial.candidates.host(trial.candidates.get(0)));
        trial.room.take(2, 6, trial.candidates.host(trial.candidates.get(0)));

        assertThat(trial.place().values()).containsExactly(Map.of(1, 3));
    }

    @Test
    void sharesOfAGangGoToOneRackIfAsFullNodesAreThere() {
        Trial trial = new Trial(problem()
                .node(node("n1", 4).rack("r"))
                .node(node("n2", 4).rack("s"))
                .node(node("n3", 4).rack("r"))
                .jobs(job("a").slots(8)));

        assertThat(trial.place().values()).containsExactly(Map.of(0, 4, 2, 4));
    }

    @Test
    void placedSharesAreTakenUntilTheyAreReleased() {
        Trial trial = new Trial(problem().nodes(4, 4).jobs(job("a").slots(8).host(2, 1), job("b").slots(2)));

        assertThat(trial.place()).containsOnlyKeys(trial.gangs().get(0));
        assertThat(trial.room.slots(0)).isZero();
        double taken = trial.candidates.clusterIndex().nodes().get(0).cpus() - trial.room.cpus(0);
        trial.placer.release();

        assertThat(taken).isEqualTo(8);
        assertThat(trial.room.slots(0)).isEqualTo(4);
        assertThat(trial.room.cpus(0))
                .isEqualTo(trial.candidates.clusterIndex().nodes().get(0).cpus());
        assertThat(trial.place()).hasSize(1);
    }
}
