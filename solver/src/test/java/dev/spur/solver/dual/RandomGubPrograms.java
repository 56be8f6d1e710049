package dev.spur.solver.dual;

import dev.spur.solver.dual.GubProgram.SetKind;
import java.util.Arrays;
import java.util.Random;

/**
 * Random programs of several kinds, with the structure of the linear relaxation of a round. Rows are pieces by size,
 * tenants, the account above them, and kept allocations.
 */
enum RandomGubPrograms {
    /** Jobs only; every row has a capacity. */
    JOBS,
    /** Jobs use pieces that patterns of nodes provide, and slots of accounts that may borrow. */
    ALL_SETS,
    /** The same with a minimum number of kept allocations. */
    RESTARTS,
    /** The same as {@link #ALL_SETS} with equal values per slot and with every job and candidate twice. */
    DEGENERATE,
    /** About half of the rows have no capacity. */
    WITHOUT_CAPACITY,
    /** Some rows have no entry. */
    UNUSED_ROWS;

    /** Returns the program of {@code seed} with two to seven jobs. */
    GubProgram program(long seed) {
        Random random = new Random(seed);
        return program(random, 2 + random.nextInt(6), 4);
    }

    /** Returns a program with {@code jobs} jobs that have up to {@code max} candidates each. */
    GubProgram program(Random random, int jobs, int max) {
        return new Generator(this, random, jobs, max).program();
    }

    private static final class Generator {
        private final RandomGubPrograms kind;
        private final Random random;
        private final int jobs;
        private final int max;
        private final boolean cut;
        private final int sizes;
        private final int tenants;
        private final int above;
        private final GubProgramBuilder builder;
        private int origins;

        Generator(RandomGubPrograms kind, Random random, int jobs, int max) {
            this.kind = kind;
            this.random = random;
            this.jobs = jobs;
            this.max = max;
            this.cut = kind == ALL_SETS || kind == RESTARTS || kind == DEGENERATE;
            this.sizes = 1 + random.nextInt(3);
            this.tenants = 1 + random.nextInt(3);
            this.above = sizes + tenants;
            int rows = above + (kind == RESTARTS ? 2 : kind == UNUSED_ROWS ? 3 : 1);
            double[] capacity = new double[rows];
            Arrays.setAll(capacity, this::capacity);
            double[] scale = new double[rows];
            Arrays.setAll(scale, r -> r < sizes ? r + 1 : 1);
            this.builder = new GubProgramBuilder(capacity, scale);
        }

        private double capacity(int row) {
            if (row > above) {
                return kind == RESTARTS ? -random.nextInt(1 + jobs / 2) : random.nextInt(2);
            }
            boolean none = row < sizes ? cut : kind == WITHOUT_CAPACITY && random.nextBoolean();
            return none ? 0 : 1 + random.nextInt(row < sizes ? jobs : 2 * jobs);
        }

        GubProgram program() {
            for (int j = 0; j < jobs; j++) {
                addJob();
            }
            if (cut) {
                for (int nodes = 1 + random.nextInt(2); nodes > 0; nodes--) {
                    addNodes();
                }
                for (int t = 0; t < tenants; t++) {
                    addAccount(sizes + t);
                }
            }
            return builder.build();
        }

        private void addJob() {
            int tenant = sizes + random.nextInt(tenants);
            if (random.nextInt(8) > 0) {
                builder.member(0, -1);
            } else {
                builder.member(-random.nextDouble(), origins++);
            }
            if (kind == RESTARTS && random.nextBoolean()) {
                builder.member(0.1 * random.nextDouble(), origins++);
                builder.entry(tenant, 1);
                builder.entry(above + 1, -1);
            }
            for (int c = 1 + random.nextInt(max); c > 0; c--) {
                addCandidate(tenant, random.nextInt(sizes), 1 + random.nextInt(2));
            }
            builder.endSet(SetKind.JOB, 1);
        }

        private void addCandidate(int tenant, int size, int pieces) {
            double slots = (size + 1.0) * pieces;
            double value = kind == DEGENERATE ? slots : slots * (0.3 + random.nextDouble());
            for (int copy = kind == DEGENERATE ? 2 : 1; copy > 0; copy--) {
                builder.member(value, origins++);
                builder.entry(size, pieces);
                builder.entry(tenant, slots);
                if (!cut) {
                    builder.entry(above, slots);
                }
            }
        }

        /** Adds nodes with a pattern for each mix of pieces, all of them or without the last piece. */
        private void addNodes() {
            int slots = 1 + random.nextInt(4);
            for (int size = 0; size < sizes; size++) {
                builder.member(0, -1);
                if (slots > size) {
                    builder.entry(size, -(slots / (size + 1)));
                }
                if (slots % (size + 1) > 0) {
                    builder.entry(slots % (size + 1) - 1, -1);
                }
            }
            builder.endSet(SetKind.NODES, 1 + random.nextInt(2));
        }

        private void addAccount(int tenant) {
            builder.member(0, -1);
            builder.entry(tenant, -1);
            builder.entry(above, 1);
            builder.member(0, -1);
            builder.endSet(SetKind.ACCOUNT, 1 + random.nextInt(3));
        }
    }
}
