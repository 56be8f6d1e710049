package dev.spur.benchmarks.reality;

import java.util.List;
import java.util.random.RandomGenerator;

/** Distribution of the number of slots that a user requests, as a table of probabilities. */
@SuppressWarnings("ImmutableEnumChecker") // the list is unmodifiable
enum GangSizes {
    /** Every size of daily life from 1 to 16, odd ones too. Own choice, with more large gangs than any trace. */
    MIXED(p(1, 0.35), p(2, 0.17), p(3, 0.05), p(4, 0.18), p(6, 0.05), p(8, 0.13), p(12, 0.03), p(16, 0.04)),
    /**
     * Philly: marginal distribution of the 82,247 jobs with accelerators (Jeon et al., ATC '19). Jobs of more than 16
     * count as 16.
     */
    PHILLY(p(1, 0.932), p(2, 0.022), p(4, 0.023), p(8, 0.020), p(16, 0.003)),
    /** OpenB: marginal distribution of the 7,064 pods with accelerators in the default list (Alibaba, 2023). */
    OPENB(p(1, 0.9895), p(2, 0.0023), p(4, 0.0021), p(8, 0.0061)),
    /**
     * 70 % request 1, 10 % request 2, 15 % request 4, 5 % request 8: the Philly mix of Narayanan et al., Gavel, OSDI
     * '20.
     */
    GAVEL(p(1, 0.70), p(2, 0.10), p(4, 0.15), p(8, 0.05)),
    /** Gangs that need several nodes of 8, and small ones between them. Own choice. */
    WIDE(p(1, 0.40), p(4, 0.25), p(8, 0.15), p(12, 0.10), p(20, 0.10)),
    /** One accelerator per job. */
    SINGLE(p(1, 1));

    /** A size and its probability. */
    private record Size(int slots, double probability) {}

    private final List<Size> table;

    GangSizes(Size... table) {
        this.table = List.of(table);
    }

    private static Size p(int slots, double probability) {
        return new Size(slots, probability);
    }

    /** Returns a random size. */
    int draw(RandomGenerator random) {
        double point = random.nextDouble();
        for (Size size : table) {
            point -= size.probability;
            if (point < 0) {
                return size.slots;
            }
        }
        return table.get(table.size() - 1).slots;
    }
}
