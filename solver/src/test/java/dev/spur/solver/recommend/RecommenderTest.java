package dev.spur.solver.recommend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.JobSpec;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RecommenderTest {
    private static final double MEDIAN = 0.5;

    /** A million samples: 10,000 s on one A, 2,800 s on four; B is half as fast. A start takes 30 s. */
    private static JobSpec job() {
        return JobFixture.job("job")
                .slots(1, 8)
                .speed("A", 1, 1, 100)
                .speed("A", 2, 1, 190)
                .speed("A", 4, 1, 360)
                .speed("A", 8, 2, 500)
                .speed("B", 1, 1, 50)
                .speed("B", 4, 1, 180)
                .spec();
    }

    private static NodeOffer nodes(String type, int slots, double price) {
        return new NodeOffer("node-" + type, type, slots, 4, price, false, 0, 0, 0, 0);
    }

    private static final NodeCatalog MARKET = NodeCatalog.of(List.of(nodes("A", 4, 2), nodes("B", 4, 0.9)));

    private static Recommendation ask(RecommendationGoal goal, double spread) {
        return Recommender.recommend(job(), MARKET, configuration -> spread, goal)
                .orElseThrow();
    }

    @Nested
    class Time {
        @Test
        void isTheStartAndTheWorkAtTheGoodput() {
            Recommendation fastest = ask(RecommendationGoal.fastest(), 0);

            assertThat(fastest.chosen().configuration().slots()).isEqualTo(8);
            assertThat(fastest.chosen().seconds(MEDIAN)).isCloseTo(30 + 1e6 / 500, within(1e-6));
            assertThat(fastest.chosen().cost(MEDIAN)).isCloseTo(8 * 2 * 2030 / 3600.0, within(1e-6));
            assertThat(fastest.targetMet()).isTrue();
            assertThat(fastest.risk()).isZero();
        }
    }

    @Nested
    class Deadlines {
        @Test
        void areKeptAtTheLeastCost() {
            Recommendation relaxed = ask(RecommendationGoal.deadline(30_000, 0.9), 0);
            Recommendation tight = ask(RecommendationGoal.deadline(3_000, 0.9), 0);

            assertThat(relaxed.chosen().configuration().acceleratorType()).isEqualTo("B");
            assertThat(relaxed.chosen().configuration().slots()).isOne();
            assertThat(tight.chosen().configuration().acceleratorType()).isEqualTo("A");
            assertThat(tight.chosen().configuration().slots()).isEqualTo(4);
        }

        @Test
        void countAWholeRunWithItsStart() {
            double four = 30 + 1e6 / 360;

            assertThat(ask(RecommendationGoal.deadline(four + 0.01, 0.9), 0)
                            .chosen()
                            .configuration()
                            .slots())
                    .isEqualTo(4);
            assertThat(ask(RecommendationGoal.deadline(four - 0.01, 0.9), 0)
                            .chosen()
                            .configuration()
                            .slots())
                    .isGreaterThan(4);
        }

        @Test
        void leaveRoomForWhatIsNotSure() {
            double four = 30 + 1e6 / 360;

            Recommendation unsure = ask(RecommendationGoal.deadline(four * 1.1, 0.9), 0.3);

            assertThat(unsure.chosen().configuration().slots()).isGreaterThan(4);
            assertThat(unsure.risk()).isLessThanOrEqualTo(0.1);
        }

        @Test
        void thatNothingKeepsGiveTheLeastRiskAndSayso() {
            Recommendation none = ask(RecommendationGoal.deadline(1_900, 0.9), 0.1);

            assertThat(none.targetMet()).isFalse();
            assertThat(none.chosen().configuration().slots()).isEqualTo(8);
            assertThat(none.risk()).isBetween(0.5, 1.0);
        }
    }

    @Nested
    class Risk {
        @Test
        void isOneHalfAtTheMedian() {
            Option option = new Option(options(0.2).get(0).configuration(), 100, 0.2, 0, 1000, 1);

            assertThat(option.risk(RecommendationGoal.deadline(1000, 0.9))).isCloseTo(0.5, within(1e-9));
            assertThat(option.risk(RecommendationGoal.deadline(option.seconds(0.9), 0.9)))
                    .isCloseTo(0.1, within(1e-9));
            assertThat(option.risk(RecommendationGoal.budget(option.cost(0.8), 0.9)))
                    .isCloseTo(0.2, within(1e-9));
        }

        @Test
        void isThatOfTheTighterLimit() {
            Option option = new Option(options(0.2).get(0).configuration(), 100, 0.2, 0, 1000, 1);
            RecommendationGoal both =
                    new RecommendationGoal(RecommendationObjective.COST, option.seconds(0.9), option.cost(0.7), 0.9);

            assertThat(option.risk(both)).isCloseTo(0.3, within(1e-9));
        }
    }

    @Nested
    class Budgets {
        @Test
        void buyAsMuchSpeedAsTheyCan() {
            double four = 4 * 2 * (30 + 1e6 / 360) / 3600;

            assertThat(ask(RecommendationGoal.budget(four + 0.001, 0.9), 0)
                            .chosen()
                            .configuration())
                    .satisfies(c -> assertThat(c.acceleratorType() + c.slots()).isEqualTo("A4"));
            assertThat(ask(RecommendationGoal.budget(four - 0.001, 0.9), 0)
                            .chosen()
                            .seconds(MEDIAN))
                    .isGreaterThan(30 + 1e6 / 360);
        }
    }

    @Nested
    class Prices {
        @Test
        void ofWholeNodesCountSlotsThatAreNotUsed() {
            NodeOffer whole = new NodeOffer("node-A", "A", 4, 4, 2, true, 0, 0, 0, 0);
            JobSpec spec = job();

            List<Option> options = Recommender.options(spec, NodeCatalog.of(List.of(whole)), SpeedUncertainty.CERTAIN);

            assertThat(options)
                    .filteredOn(o -> o.configuration().slots() == 1)
                    .allSatisfy(option -> assertThat(option.pricePerHour()).isEqualTo(8));
        }

        @Test
        void ofAggregationSlotsAreAdded() {
            NodeOffer offer = new NodeOffer("node-A", "A100", 4, 1, 2, false, 4, 0.5, 8, 0);
            JobSpec spec = JobFixture.job("job")
                    .slots(2)
                    .servedSpeed(2, 2, 200)
                    .served(2)
                    .spec();

            List<Option> options = Recommender.options(spec, NodeCatalog.of(List.of(offer)), SpeedUncertainty.CERTAIN);

            assertThat(options)
                    .filteredOn(o -> o.configuration().aggregationSlots() == 2)
                    .hasSize(1)
                    .allSatisfy(option -> assertThat(option.pricePerHour()).isEqualTo(2 * 2 + 2 * 0.5));
        }

        @Test
        void ofAClusterAreThoseOfItsNodes() {
            Node node = new Node("n1", "main", null, "A", List.of("0", "1"), 0, 0, 0, 3, NodeState.ACTIVE);
            Node lost = new Node("n2", "main", null, "A", List.of("0", "1"), 0, 0, 0, 3, NodeState.LOST);

            List<Option> options =
                    Recommender.options(job(), NodeCatalog.ofCluster(List.of(node, lost)), SpeedUncertainty.CERTAIN);

            assertThat(options).extracting(o -> o.configuration().slots()).containsExactly(1, 2);
            assertThat(options).extracting(Option::pricePerHour).containsExactly(3.0, 6.0);
        }
    }

    @Test
    void slicesThatCannotReduceAreRecommendedOneAtATime() {
        NodeCatalog slices =
                NodeCatalog.of(List.of(nodes("A", 4, 2))).withTypes(List.of(new AcceleratorType("A", 10, 1)));

        assertThat(Recommender.options(job(), slices, SpeedUncertainty.CERTAIN))
                .extracting(option -> option.configuration().slots())
                .containsExactly(1);
    }

    @Nested
    class Front {
        @Test
        void holdsWhatNothingElseBeatsInBothWays() {
            List<Option> options = options(0);
            List<Option> front = ask(RecommendationGoal.fastest(), 0).front();

            assertThat(front)
                    .hasSizeGreaterThan(2)
                    .isSortedAccordingTo((a, b) -> Double.compare(a.seconds(MEDIAN), b.seconds(MEDIAN)));
            for (Option option : options) {
                boolean beaten = options.stream()
                        .anyMatch(other -> other.seconds(MEDIAN) <= option.seconds(MEDIAN)
                                && other.cost(MEDIAN) <= option.cost(MEDIAN)
                                && (other.seconds(MEDIAN) < option.seconds(MEDIAN)
                                        || other.cost(MEDIAN) < option.cost(MEDIAN)));
                assertThat(front.contains(option)).as(option.toString()).isNotEqualTo(beaten);
            }
        }
    }

    @Test
    void aJobThatFitsNowhereGetsNoRecommendation() {
        NodeCatalog strange = NodeCatalog.of(List.of(nodes("C", 4, 1)));

        assertThat(Recommender.recommend(job(), strange, SpeedUncertainty.CERTAIN, RecommendationGoal.fastest()))
                .isEmpty();
    }

    private static List<Option> options(double spread) {
        return Recommender.options(job(), MARKET, configuration -> spread);
    }
}
