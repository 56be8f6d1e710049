package dev.spur.solver.dual;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Order in which the rows of a {@link GubProgram} are eliminated, so that the Cholesky factor has few entries. Rows of
 * a tenant or group come first, next to the rows that the same jobs use. Rows of accounts above follow, then pieces of
 * nodes: first those of few nodes, which share no job with those of other nodes. Other rows that many jobs use come
 * last.
 */
final class EliminationOrder {
    /** Share of the jobs above which a row counts as used by many. */
    private static final double MANY = 0.2;

    private EliminationOrder() {}

    /** Returns the rows in the order of elimination. */
    static int[] of(GubProgram program) {
        int[] firstJob = new int[program.rows];
        int[] lastJob = new int[program.rows];
        int[] jobs = new int[program.rows];
        int[] nodeSets = new int[program.rows];
        int[] lastNodes = new int[program.rows];
        int jobSets = 0;
        for (int i = 0; i < program.sets; i++) {
            boolean isJob = program.kind[i] == GubProgram.SetKind.JOB;
            jobSets += isJob ? 1 : 0;
            for (int k = program.start[program.first[i]]; k < program.start[program.first[i + 1]]; k++) {
                int r = program.row[k];
                if (program.kind[i] == GubProgram.SetKind.NODES && (nodeSets[r] == 0 || lastNodes[r] != i)) {
                    lastNodes[r] = i;
                    nodeSets[r]++;
                }
                if (isJob && (jobs[r] == 0 || lastJob[r] != i)) {
                    firstJob[r] = jobs[r] == 0 ? i : firstJob[r];
                    lastJob[r] = i;
                    jobs[r]++;
                }
            }
        }
        double many = MANY * jobSets;
        int[] rank = new int[program.rows];
        for (int r = 0; r < rank.length; r++) {
            boolean last = nodeSets[r] > 0 || jobs[r] > many;
            rank[r] = last ? Integer.MAX_VALUE : jobs[r] == 0 ? Integer.MAX_VALUE - 1 : firstJob[r];
        }
        return IntStream.range(0, rank.length)
                .boxed()
                .sorted(Comparator.comparingInt((Integer r) -> rank[r])
                        .thenComparingInt(r -> nodeSets[r] == 0 ? Integer.MAX_VALUE : nodeSets[r]))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
