package dev.spur.solver.relaxation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeAtom;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.dual.GubProgramBuilder;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.resource.ResourceKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Prices and values of nodes in random rounds. */
class PatternCapacityRandomTest {
    private static final int SEEDS = 60;
    private static final double CLOSE = 1e-9;

    /** A round with random prices. */
    private static final class Priced {
        private final SmallRounds.Round round;
        private final CouplingConstraints constraints;
        private final double[] prices;
        private final ResidualCluster residualCluster;

        Priced(SmallRounds.Round round) {
            this.round = round;
            this.constraints = round.constraints(RelaxationLevel.PATTERNS);
            this.prices = round.prices(constraints, new Random(round.seed()));
            this.residualCluster =
                    ResidualCapacity.withoutPinned(round.candidates()).cluster();
        }

        CandidateSet candidates() {
            return round.candidates();
        }

        PatternCapacity capacity() {
            return constraints.patternCapacity();
        }

        double worth(NodeClass nodeClass) {
            return nodeClass.nodes().stream()
                    .mapToDouble(v -> capacity().worthOfNode(nodeClass.index(), v, prices))
                    .sum();
        }

        double worth() {
            return candidates().clusterIndex().classes().stream()
                    .mapToDouble(this::worth)
                    .sum();
        }
    }

    /** Runs {@code test} for rounds with hosts that bind and do not bind. */
    private static void forEach(Consumer<Priced> test) {
        for (SmallRounds kind : List.of(
                SmallRounds.PLAIN,
                SmallRounds.SHRUNK_HOSTS,
                SmallRounds.HOST_LEVELS,
                SmallRounds.GANGS,
                SmallRounds.UNEVEN)) {
            for (long seed = 0; seed < SEEDS; seed++) {
                test.accept(new Priced(kind.round(seed, 4, 8)));
            }
        }
    }

    @Test
    void priceOfPiecesIsThatOfTheRowsThatTheyUse() {
        forEach(each -> {
            for (int c = 0; c < each.candidates().size(); c++) {
                Candidate candidate = each.candidates().get(c);
                if (candidate.isRetained()) {
                    continue;
                }
                HostDemand demand = each.candidates().host(candidate);
                SparseMatrixBuilder matrix = new SparseMatrixBuilder(1);
                each.capacity()
                        .addPieces(
                                candidate.nodeClass(),
                                candidate.configuration().shape(),
                                candidate.parts(),
                                demand,
                                candidate.access(),
                                matrix);
                double expected = 0;
                for (int k = 0; k < matrix.rows().length; k++) {
                    expected += matrix.amounts()[k] * each.prices[matrix.rows()[k]];
                }

                double price = candidate.configuration().shape().stream()
                        .mapToDouble(piece -> each.capacity()
                                .price(
                                        candidate.nodeClass(),
                                        piece,
                                        candidate.parts(),
                                        demand,
                                        candidate.access(),
                                        each.prices))
                        .sum();

                assertThat(price).as("%s, candidate %d", each.round, c).isCloseTo(expected, within(CLOSE));
            }
        });
    }

    /** Values of nodes are a bound: pieces that fit on a node together cost at most its value. */
    @Test
    void piecesThatFitCostAtMostTheValueOfTheNode() {
        int[] tight = new int[1];
        forEach(each -> {
            Random random = new Random(each.round.seed());
            for (NodeClass nodeClass : each.candidates().clusterIndex().classes()) {
                List<Candidate> ownCandidates = IntStream.range(
                                0, each.candidates().size())
                        .mapToObj(each.candidates()::get)
                        .filter(candidate -> !candidate.isRetained() && candidate.nodeClass() == nodeClass.index())
                        .toList();
                for (int v : nodeClass.nodes()) {
                    double value = each.capacity().worthOfNode(nodeClass.index(), v, each.prices);
                    for (int trial = 0; trial < 20 && !ownCandidates.isEmpty(); trial++) {
                        double paid = paid(each, nodeClass.index(), v, ownCandidates, random);
                        assertThat(paid).as("%s, node %d", each.round, v).isLessThanOrEqualTo(value + CLOSE);
                        tight[0] += paid > 0 && paid > value - CLOSE ? 1 : 0;
                    }
                }
            }
        });
        assertThat(tight[0]).as("nodes cut at their full value").isGreaterThan(SEEDS);
    }

    /** Cuts random pieces from node {@code v} while they fit; returns their price. */
    private static double paid(Priced each, int k, int v, List<Candidate> candidates, Random random) {
        int slots = each.residualCluster.slots(v);
        double cpus = each.residualCluster.cpus(v);
        double memory = each.residualCluster.memory(v);
        double paid = 0;
        for (int attempt = 0; attempt < 10; attempt++) {
            Candidate candidate = candidates.get(random.nextInt(candidates.size()));
            HostDemand demand = each.candidates().host(candidate);
            int piece = candidate.configuration().shape().get(0);
            if (candidate.access().contains(v)
                    && piece <= slots
                    && piece * demand.cpusPerSlot() <= cpus
                    && piece * demand.memoryGiBPerSlot() <= memory) {
                slots -= piece;
                cpus -= piece * demand.cpusPerSlot();
                memory -= piece * demand.memoryGiBPerSlot();
                paid += each.capacity().price(k, piece, candidate.parts(), demand, candidate.access(), each.prices);
            }
        }
        return paid;
    }

    @Test
    void valuesOfNodesAddUpToTheirPartOfTheBound() {
        forEach(each -> {
            double rows = 0;
            for (int r = 0; r < each.prices.length; r++) {
                CouplingConstraints.Row row = each.constraints.rows().get(r);
                boolean ofNodes = row.key() instanceof ResourceKey.NodePieces;
                rows += ofNodes ? each.prices[r] * row.capacity() : 0;
            }
            double blocks = each.capacity().blocks().stream()
                    .mapToDouble(subproblem -> subproblem.solve(each.prices, 1).bound())
                    .sum();

            assertThat(each.worth()).as("%s", each.round).isCloseTo(rows + blocks, within(1e-7));
        });
    }

    @Test
    void setsOfTheLinearProgramHaveTheValueOfTheNodes() {
        forEach(each -> {
            double[] none = new double[each.prices.length];
            double[] ones = new double[none.length];
            Arrays.fill(ones, 1);
            GubProgramBuilder builder = new GubProgramBuilder(none, ones);
            assertThat(each.capacity().isEnumerated()).isTrue();

            each.capacity().addSets(builder);

            assertThat(builder.build().bound(each.prices)).as("%s", each.round).isCloseTo(each.worth(), within(CLOSE));
        });
    }

    @Test
    void sizesAreThoseOfTheResidualCluster() {
        forEach(each -> {
            List<NodeClass> classes = each.candidates().clusterIndex().classes();
            assertThat(each.capacity().slots())
                    .isEqualTo(classes.stream()
                            .mapToInt(each.residualCluster::slots)
                            .sum());
            assertThat(each.capacity().nodes())
                    .isEqualTo(classes.stream()
                            .mapToInt(nodeClass -> nodeClass.nodes().size())
                            .sum());
            List<Integer> rows = new ArrayList<>();
            each.capacity().forEachRow((row, typicalSlots, isInner) -> {
                rows.add(row);
                assertThat(typicalSlots).isPositive();
            });
            assertThat(rows).doesNotHaveDuplicates();
        });
    }

    /** The remaining capacity of an untouched node has the value of the node. */
    @Test
    void residualValueOfAnUntouchedNodeIsItsValue() {
        forEach(each -> {
            ResidualValue[] values = each.capacity().residualValues(each.prices);
            for (NodeAtom atom : each.candidates().clusterIndex().atoms()) {
                double sum = 0;
                for (int v : atom.nodes()) {
                    double value = each.capacity().worthOfNode(atom.nodeClass(), v, each.prices);
                    int slots = each.residualCluster.slots(v);
                    assertThat(values[atom.index()].of(
                                    slots, each.residualCluster.cpus(v), each.residualCluster.memory(v)))
                            .as("%s, node %d", each.round, v)
                            .isCloseTo(value, within(CLOSE));
                    sum += slots == 0 ? 0 : value / slots;
                }
                assertThat(each.capacity().slotPrice(atom, each.prices))
                        .isCloseTo(sum / atom.nodes().size(), within(CLOSE));
            }
        });
    }

    /** A piece takes at least its price from the value of a node. */
    @Test
    void costOfAPieceInAdditionToItsPriceIsTheLossOfTheNode() {
        forEach(each -> {
            OpportunityCost cost = new OpportunityCost(each.constraints, each.residualCluster, each.prices);
            ResidualValue[] values = each.capacity().residualValues(each.prices);
            for (int c = 0; c < each.candidates().size(); c++) {
                Candidate candidate = each.candidates().get(c);
                if (candidate.isRetained()) {
                    continue;
                }
                int k = candidate.nodeClass();
                HostDemand demand = each.candidates().host(candidate);
                int piece = candidate.configuration().shape().get(0);
                for (int v : each.candidates().clusterIndex().classes().get(k).nodes()) {
                    int slots = each.residualCluster.slots(v);
                    double cpus = each.residualCluster.cpus(v) - piece * demand.cpusPerSlot();
                    double memory = each.residualCluster.memory(v) - piece * demand.memoryGiBPerSlot();
                    if (candidate.access().contains(v) && piece <= slots && cpus >= 0 && memory >= 0) {
                        ResourceDemand all = each.constraints.demand(c);
                        double added = cost.of(v, piece, all) - cost.min(piece, all);
                        double expected = each.capacity().worthOfNode(k, v, each.prices)
                                - values[each.candidates().clusterIndex().atomOf(v)].of(slots - piece, cpus, memory)
                                - each.capacity()
                                        .price(k, piece, candidate.parts(), demand, candidate.access(), each.prices);
                        assertThat(added)
                                .as("%s, node %d", each.round, v)
                                .isCloseTo(expected, within(CLOSE))
                                .isGreaterThanOrEqualTo(-CLOSE);
                    }
                }
            }
        });
    }
}
