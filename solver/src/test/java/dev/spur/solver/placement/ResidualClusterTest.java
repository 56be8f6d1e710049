package dev.spur.solver.placement;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResidualClusterTest {
    private final CandidateSet candidates =
            CandidateGenerator.generate(problem().nodes(4, 4).jobs(job("a")).build());
    private final ResourceDemand demand = ResourceDemand.of(candidates, candidates.get(0));

    @Test
    void aPieceGoesToTheFullestNodeThatHoldsIt() {
        ResidualCluster cluster = new ResidualCluster(candidates.clusterIndex());
        cluster.take(demand, new int[] {1});

        assertThat(cluster.nodesFor(demand, ResidualCluster.FREE)).containsExactly(1);
    }

    @Test
    void aPieceGoesWhereItCostsLeastEvenIfAnotherNodeIsFuller() {
        ResidualCluster cluster = new ResidualCluster(candidates.clusterIndex());
        cluster.take(demand, new int[] {0});

        assertThat(cluster.nodesFor(demand, (v, piece, of) -> v == 0 ? 1 : 0.5)).containsExactly(1);
    }

    @Test
    void pinnedJobsLeaveTheOtherCapacity() {
        CandidateSet running = CandidateGenerator.generate(problem()
                .nodes(4, 4)
                .jobs(
                        job("pinned").notPreemptible().slots(2).on("n1", 2),
                        job("movable").slots(3).on("n2", 3))
                .build());

        ResidualCluster residualCluster =
                ResidualCapacity.withoutPinned(running).cluster();

        assertThat(residualCluster.slots(0)).isEqualTo(2);
        assertThat(residualCluster.slots(1)).isEqualTo(4);
        assertThat(residualCluster.slots(running.clusterIndex().classes().get(0)))
                .isEqualTo(6);
    }

    /** Pieces are taken and returned at random; the node found is the fullest one that holds the piece. */
    @Test
    void theFullestNodeIsFoundAfterAnyChanges() {
        CandidateSet mixed = CandidateGenerator.generate(problem()
                .nodes(8, 8, 8, 8, 8, 8)
                .jobs(job("a").slots(1, 8).host(1, 1))
                .build());
        ResidualCluster cluster = new ResidualCluster(mixed.clusterIndex());
        Random random = new Random(1);
        int[] taken = new int[6];
        for (int change = 0; change < 2000; change++) {
            int v = random.nextInt(taken.length);
            int slots = random.nextInt(9);
            cluster.take(v, slots - taken[v], HostDemand.NONE);
            taken[v] = slots;
            ResourceDemand desired = ResourceDemand.of(mixed, mixed.get(random.nextInt(mixed.size())));
            int piece = desired.pieces()[0];

            int found = cluster.cheapest(piece, desired, ResidualCluster.FREE, new int[0], 0);

            int fullest =
                    Arrays.stream(taken).filter(used -> 8 - used >= piece).max().orElse(-1);
            assertThat(found < 0 ? -1 : taken[found]).isEqualTo(fullest);
        }
    }

    @Test
    void aNodeIsBlockedWithItsFreeSlots() {
        ResidualCluster cluster = new ResidualCluster(candidates.clusterIndex());
        cluster.take(0, 1, HostDemand.NONE);

        assertThat(cluster.block(0)).isEqualTo(3);
        assertThat(cluster.slots(0)).isZero();
        assertThat(cluster.slots(candidates.clusterIndex().classes().get(0))).isEqualTo(4);
        assertThat(cluster.nodesFor(demand, ResidualCluster.FREE)).containsExactly(1);
    }

    /** On nodes that differ in slots, reservations and maintenance. */
    @Test
    void freeSlotsOfACandidateAreThoseOfTheNodesThatItMayTake() {
        int partial = 0;
        for (long seed = 0; seed < 200; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(RandomProblems.uneven(seed, 5, 6));
            ResidualCapacity residual = ResidualCapacity.withoutPinned(candidates);
            for (int c = 0; c < candidates.size(); c++) {
                Candidate candidate = candidates.get(c);
                if (!candidate.isRetained()) {
                    partial += candidate.access().isWhole() ? 0 : 1;
                    int free = candidates.clusterIndex().classes().get(candidate.nodeClass()).nodes().stream()
                            .filter(candidate.access()::contains)
                            .mapToInt(residual.cluster()::slots)
                            .sum();
                    assertThat(residual.cluster().slots(candidate))
                            .as("seed %d, candidate %d", seed, c)
                            .isEqualTo(free);
                    residual.place(ResourceDemand.of(candidates, candidate));
                }
            }
        }
        assertThat(partial).isPositive();
    }
}
