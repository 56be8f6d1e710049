package dev.spur.solver.dual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.spur.solver.dual.GubProgram.SetKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GubProgramTest {
    /** Member of a set in dense form, with its use by row. */
    private record Member(int set, double value, List<Double> use) {}

    /** Program with its members in dense form. */
    private record Dense(GubProgram program, List<Double> capacity, List<Double> total, List<Member> members) {
        double reducedValue(int m, double[] prices) {
            double reduced = members.get(m).value();
            for (int r = 0; r < prices.length; r++) {
                reduced -= prices[r] * members.get(m).use().get(r);
            }
            return reduced;
        }

        double bound(double[] prices) {
            double[] best = new double[total.size()];
            Arrays.fill(best, Double.NEGATIVE_INFINITY);
            for (int m = 0; m < members.size(); m++) {
                int i = members.get(m).set();
                best[i] = Math.max(best[i], reducedValue(m, prices));
            }
            double bound = 0;
            for (int r = 0; r < prices.length; r++) {
                bound += prices[r] * capacity.get(r);
            }
            for (int i = 0; i < best.length; i++) {
                bound += total.get(i) * best[i];
            }
            return bound;
        }
    }

    /** Returns a program of {@code sets} sets; some members use a row by several entries. */
    private static Dense dense(Random random, int sets, int rows) {
        double[] capacity = random.doubles(rows, 0, 10).toArray();
        double[] total = random.ints(sets, 1, 4).asDoubleStream().toArray();
        GubProgramBuilder builder =
                new GubProgramBuilder(capacity, random.doubles(rows, 1, 2).toArray());
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < sets; i++) {
            for (int m = 1 + random.nextInt(7); m > 0; m--) {
                double value = random.nextDouble() - 0.3;
                double[] use = new double[rows];
                builder.member(value, members.size());
                for (int k = random.nextInt(9); k > 0; k--) {
                    int row = random.nextInt(rows);
                    double amount = random.nextDouble() - 0.2;
                    builder.entry(row, amount);
                    use[row] += amount;
                }
                members.add(new Member(i, value, list(use)));
            }
            builder.endSet(SetKind.JOB, total[i]);
        }
        return new Dense(builder.build(), list(capacity), list(total), members);
    }

    private static List<Double> list(double[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    private static double[] prices(Random random, int rows) {
        return random.doubles(rows, -1, 2).map(p -> Math.max(0, p)).toArray();
    }

    /** The large numbers of sets exceed the room with which a builder starts. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 100, 3_000})
    void reducedValuesAndBoundAreThoseOfTheDenseProgram(int sets) {
        Random random = new Random(sets);
        Dense dense = dense(random, sets, 7);
        double[] prices = prices(random, 7);

        assertThat(dense.program().members()).isEqualTo(dense.members().size());
        for (int m = 0; m < dense.members().size(); m++) {
            assertThat(dense.program().origins()[m]).isEqualTo(m);
            assertThat(dense.program().reducedValue(m, prices))
                    .as("member %d", m)
                    .isCloseTo(dense.reducedValue(m, prices), within(1e-12));
        }
        assertThat(dense.program().bound(prices)).isCloseTo(dense.bound(prices), within(1e-9));
    }

    @ParameterizedTest
    @EnumSource
    void boundIsAtLeastTheOptimumAtAnyPrices(RandomGubPrograms kind) {
        int tight = 0;
        for (long seed = 0; seed < 100; seed++) {
            GubProgram program = kind.program(seed);
            double optimum = GlopOptimum.of(program);
            Random random = new Random(seed);
            for (int trial = 0; trial < 20; trial++) {
                double bound = program.bound(prices(random, program.rows()));
                assertThat(bound).as("%s %d", kind, seed).isGreaterThanOrEqualTo(optimum - 1e-9);
                tight += bound < 1.5 * optimum ? 1 : 0;
            }
        }
        assertThat(tight).isGreaterThan(20);
    }

    @Test
    void aRestrictedProgramHasTheKeptMembersOnly() {
        Random random = new Random(1);
        for (int trial = 0; trial < 50; trial++) {
            Dense dense = dense(random, 8, 5);
            GubProgram program = dense.program();
            boolean[] keep = new boolean[program.members()];
            for (int m = 0; m < keep.length; m++) {
                keep[m] = m == program.first[dense.members().get(m).set()] || random.nextBoolean();
            }
            double[] prices = prices(random, 5);

            GubProgram restricted = program.restrictedTo(keep);

            List<Integer> retained = new ArrayList<>();
            for (int m = 0; m < keep.length; m++) {
                if (keep[m]) {
                    retained.add(m);
                }
            }
            assertThat(restricted.origins())
                    .containsExactly(retained.stream().mapToInt(m -> m).toArray());
            for (int m = 0; m < restricted.members(); m++) {
                assertThat(restricted.reducedValue(m, prices))
                        .isCloseTo(dense.reducedValue(retained.get(m), prices), within(1e-12));
            }
            Dense expected = new Dense(
                    restricted,
                    dense.capacity(),
                    dense.total(),
                    retained.stream().map(dense.members()::get).toList());
            assertThat(restricted.bound(prices)).isCloseTo(expected.bound(prices), within(1e-9));
        }
    }

    @Test
    void valuesAndScaleAreReplacedAlone() {
        GubProgram program = RandomGubPrograms.ALL_SETS.program(3);
        double[] prices = prices(new Random(3), program.rows());
        double[] values = program.value.clone();
        values[1] += 5;
        double[] scale = program.scale.clone();
        scale[0] *= 3;

        assertThat(program.withValues(values).reducedValue(1, prices))
                .isCloseTo(program.reducedValue(1, prices) + 5, within(1e-12));
        assertThat(program.withValues(values).reducedValue(0, prices)).isEqualTo(program.reducedValue(0, prices));
        assertThat(program.withScale(scale).scale).isEqualTo(scale);
        assertThat(program.withScale(scale).bound(prices)).isEqualTo(program.bound(prices));
    }

    @Test
    void aboutHalfOfTheMembersAreBeforeTheMiddle() {
        Random random = new Random(2);
        for (int sets = 1; sets < 40; sets++) {
            GubProgram program = dense(random, sets, 3).program();
            int before = program.first[program.middle()];
            assertThat(2.0 * before).isCloseTo(program.members(), within(15.0));
        }
    }

    @Nested
    class TheBuilderRejects {
        private final GubProgramBuilder builder = new GubProgramBuilder(new double[] {1, 1}, new double[] {1, 1});

        @Test
        void aSetWithoutMember() {
            builder.member(0, -1);
            builder.endSet(SetKind.JOB, 1);

            assertThatIllegalStateException()
                    .isThrownBy(() -> builder.endSet(SetKind.JOB, 1))
                    .withMessageContaining("set 1 has no member");
        }

        @ParameterizedTest
        @ValueSource(doubles = {0, -1, Double.NaN})
        void aTotalThatIsNotPositive(double total) {
            builder.member(0, -1);

            assertThatIllegalArgumentException().isThrownBy(() -> builder.endSet(SetKind.JOB, total));
        }

        @Test
        void anEntryWithoutMember() {
            assertThatIllegalStateException().isThrownBy(() -> builder.entry(0, 1));
        }

        @ParameterizedTest
        @ValueSource(ints = {-1, 2})
        void anEntryOfAnUnknownRow(int row) {
            builder.member(0, -1);

            assertThatIllegalArgumentException().isThrownBy(() -> builder.entry(row, 1));
        }

        @Test
        void membersWithoutSet() {
            builder.member(0, -1);
            builder.endSet(SetKind.JOB, 1);
            builder.member(0, -1);

            assertThatIllegalStateException().isThrownBy(builder::build);
        }

        @ParameterizedTest
        @ValueSource(doubles = {0, -1, Double.NaN})
        void aScaleThatIsNotPositive(double scale) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new GubProgramBuilder(new double[1], new double[] {scale}));
        }

        @Test
        void aScaleForOtherRows() {
            assertThatIllegalArgumentException().isThrownBy(() -> new GubProgramBuilder(new double[2], new double[1]));
        }
    }
}
