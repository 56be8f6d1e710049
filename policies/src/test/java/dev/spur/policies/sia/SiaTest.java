package dev.spur.policies.sia;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.SlotFixture;
import dev.spur.policies.elastic.KnapsackItem;
import dev.spur.policies.elastic.MultipleChoiceKnapsack;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SiaTest {
    private static final Policy SIA = new Sia("sia", SiaSettings.DEFAULT);

    @Nested
    class TheChoice {
        @Test
        void equalsTheKnapsackOnOneType() {
            Random random = new Random(4);
            for (int i = 0; i < 20; i++) {
                double[][] speeds = new double[1 + random.nextInt(5)][];
                ProblemFixture problem = problem().nodes(8);
                List<List<KnapsackItem>> items = new ArrayList<>();
                for (int j = 0; j < speeds.length; j++) {
                    speeds[j] = random.doubles(8, 50, 600).toArray();
                    problem.job(job("j" + j).slots(1, 8).speeds(speeds[j]));
                    items.add(choices(speeds[j]));
                }

                Map<String, Integer> slots = SlotFixture.of(SIA, problem.build());

                double worth = 0;
                for (int j = 0; j < speeds.length; j++) {
                    int given = slots.getOrDefault("j" + j, 0);
                    worth += items.get(j).stream()
                            .filter(choice -> choice.slots() == given)
                            .mapToDouble(KnapsackItem::value)
                            .sum();
                }
                double best = MultipleChoiceKnapsack.value(items, MultipleChoiceKnapsack.solve(items, 8));
                assertThat(worth).isCloseTo(best, within(1e-3));
            }
        }

        private List<KnapsackItem> choices(double[] speeds) {
            double smallest = Math.min(Math.min(speeds[0], speeds[1]), Math.min(speeds[3], speeds[7]));
            List<KnapsackItem> ownItems = new ArrayList<>(List.of(new KnapsackItem(0, 0)));
            for (int k : new int[] {1, 2, 4, 8}) {
                ownItems.add(new KnapsackItem(k, 1.1 - Math.pow(speeds[k - 1] / smallest, -0.5) - 0.01));
            }
            return ownItems;
        }

        @Test
        void jobsWaitOnlyIfThatIsCheaperThanTheSmallestShape() {
            RoundProblem problem = problem().nodes(4).job(job("a")).build();

            assertThat(SlotFixture.of(SIA, problem)).containsOnlyKeys("a");
            assertThat(SlotFixture.of(new Sia("cheap", new SiaSettings(-0.5, 0.9, 0.01, 0)), problem))
                    .isEmpty();
        }

        @Test
        void aLowerPowerSpreadsGoodputLess() {
            RoundProblem problem = problem()
                    .nodes(8)
                    .jobs(
                            SlotFixture.scaling("good", 1),
                            SlotFixture.scaling("middle", 0.8),
                            SlotFixture.scaling("bad", 0.45))
                    .build();

            Map<String, Integer> fair = SlotFixture.of(new Sia("fair", new SiaSettings(-2, 1.1, 0.01, 0)), problem);
            Map<String, Integer> plain = SlotFixture.of(new Sia("plain", new SiaSettings(1, 1.1, 0.01, 0)), problem);

            assertThat(spread(fair)).isLessThan(spread(plain));
        }

        @Test
        void theProgramRoundsSoThatTwoSmallGainsCountMoreThanALargerOne() {
            // powers at -0.5: 0.9858 with 4 slots for "one", 0.9949 with 2 slots for each of the pair; 6 slots hold
            // either
            RoundProblem problem = problem()
                    .nodes(6)
                    .jobs(
                            job("one").slots(1, 4).speeds(100, 100, 100, 102.9),
                            job("pair-1").slots(1, 2).speeds(100, 101.03),
                            job("pair-2").slots(1, 2).speeds(100, 101.03))
                    .build();

            assertThat(SlotFixture.of(SIA, problem)).containsEntry("one", 4);
            assertThat(SlotFixture.of(new Sia("program", SiaSettings.PROGRAM), problem))
                    .containsEntry("pair-1", 2)
                    .containsEntry("pair-2", 2);
        }

        private double spread(Map<String, Integer> slots) {
            double good = slots.getOrDefault("good", 0);
            double bad = Math.pow(slots.getOrDefault("bad", 0), 0.45);
            return good - bad;
        }

        @Test
        void aJobGoesToTheTypeThatIsBestForItsSlots() {
            RoundProblem problem = problem()
                    .node("fast", 4)
                    .node(NodeFixture.node("slow", 4).type("V100"))
                    .jobs(
                            job("likes")
                                    .slots(4)
                                    .speedsOn("A100", 400, 800, 1200, 1600)
                                    .speedsOn("V100", 100, 200, 300, 400),
                            job("same")
                                    .slots(4)
                                    .speedsOn("A100", 100, 200, 300, 400)
                                    .speedsOn("V100", 90, 180, 270, 360))
                    .build();

            var allocations = SIA.decide(problem).allocations();

            assertThat(allocations.get("likes").configuration().acceleratorType())
                    .isEqualTo("A100");
            assertThat(allocations.get("same").configuration().acceleratorType())
                    .isEqualTo("V100");
        }
    }

    @Nested
    class TheRestartFactor {
        private double factor(double arrival, int restarts) {
            JobFixture job = job("a").arrival(arrival).restarts(restarts).restartPenalty(30);
            return Sia.restartFactor(job.build(), 1000);
        }

        @Test
        void growsWithAgeAndFallsWithRestarts() {
            assertThat(factor(0, 1)).isGreaterThan(factor(500, 1));
            assertThat(factor(0, 5)).isLessThan(factor(0, 1));
            assertThat(factor(0, 2)).isCloseTo((1000 - 60) / 1030.0, within(1e-12));
        }

        @Test
        void isOneForAJobYoungerThanARestart() {
            assertThat(factor(980, 3)).isEqualTo(1);
        }
    }

    @Nested
    class Placing {
        @Test
        void smallJobsMakeRoomForALargeOne() {
            RoundProblem problem = problem()
                    .nodes(4, 4)
                    .jobs(
                            job("a").slots(2).on("n1", 2),
                            job("b").slots(2).on("n2", 2),
                            job("large").slots(4))
                    .build();

            var allocations = SIA.decide(problem).allocations();

            assertThat(allocations).containsOnlyKeys("a", "b", "large");
            assertThat(allocations.get("large").placement()).hasSize(1);
        }

        @Test
        void unchangedJobsKeepTheirNodes() {
            RoundProblem problem = problem()
                    .nodes(4, 4)
                    .jobs(job("a").slots(4).on("n2", 4), job("b").slots(4))
                    .build();

            var allocations = SIA.decide(problem).allocations();

            assertThat(allocations.get("a").placement())
                    .extracting(NodeShare::node)
                    .containsExactly("n2");
        }
    }
}
