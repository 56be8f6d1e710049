package dev.spur.solver.dual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.solver.dual.GubProgram.SetKind;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EliminationOrderTest {
    @ParameterizedTest
    @EnumSource
    void containsEachRowOnce(RandomGubPrograms kind) {
        for (long seed = 0; seed < 50; seed++) {
            int[] order = EliminationOrder.of(kind.program(seed));

            Arrays.sort(order);
            assertThat(order).containsExactly(IntStream.range(0, order.length).toArray());
        }
    }

    /**
     * Row 0 is a piece of nodes, row 1 is of the account above, row 2 is used by all jobs, rows 3 to 5 are of tenants.
     */
    @Test
    void rowsOfTenantsComeFirstAndPiecesAndRowsOfManyJobsLast() {
        double[] ones = {1, 1, 1, 1, 1, 1};
        GubProgramBuilder builder = new GubProgramBuilder(ones, ones);
        int[] tenantOf = {5, 3, 4, 4, 3, 5, 0, 0, 0, 0, 0, 0};
        for (int tenant : tenantOf) {
            builder.member(0, -1);
            builder.member(1, 0);
            builder.entry(2, 1);
            if (tenant > 0) {
                builder.entry(tenant, 1);
            }
            builder.member(1, 1);
            builder.entry(2, 1);
            if (tenant > 0) {
                builder.entry(tenant, 2);
            }
            builder.endSet(SetKind.JOB, 1);
        }
        builder.member(0, -1);
        builder.entry(0, -1);
        builder.endSet(SetKind.NODES, 1);
        builder.member(0, -1);
        builder.entry(3, -1);
        builder.entry(1, 1);
        builder.endSet(SetKind.ACCOUNT, 1);

        assertThat(EliminationOrder.of(builder.build())).containsExactly(5, 3, 4, 1, 0, 2);
    }
}
