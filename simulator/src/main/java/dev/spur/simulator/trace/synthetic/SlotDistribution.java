package dev.spur.simulator.trace.synthetic;

import java.util.random.RandomGenerator;

/** How many accelerators jobs ask for: 1, 2, 4, 8 or 16. */
public enum SlotDistribution {
    /** One for each job. */
    SINGLE(1, 0, 0, 1),
    /** 70 % ask for 1, 10 % for 2, 15 % for 4, 5 % for 8: the Philly mix of Narayanan et al., Gavel, OSDI '20. */
    GAVEL(0.70, 0.10, 0.15, 1),
    /** 60 % ask for 1, 30 % for 2, 9 % for 4, 1 % for 8: the mix of Zheng et al., Shockwave, NSDI '23. */
    SHOCKWAVE(0.60, 0.30, 0.09, 1),
    /**
     * 76 % are small, up to 4, and 24 % large. Source of the shares: the bins of Gu et al., Tiresias, NSDI '19. How
     * sizes spread in a bin is assumed here: of the small ones as in {@link #GAVEL}, of the large ones two of three ask
     * for 8 and one for 16.
     */
    TIRESIAS(0.56, 0.08, 0.12, 2.0 / 3);

    private final double one;
    private final double two;
    private final double four;
    /** Of those that ask for more than 4, the share that asks for 8. */
    private final double eightOfLarge;

    SlotDistribution(double one, double two, double four, double eightOfLarge) {
        this.one = one;
        this.two = two;
        this.four = four;
        this.eightOfLarge = eightOfLarge;
    }

    int draw(RandomGenerator random) {
        double point = random.nextDouble();
        if (point < one) {
            return 1;
        }
        double small = one + two + four;
        if (point < small) {
            return point < one + two ? 2 : 4;
        }
        return point < small + (1 - small) * eightOfLarge ? 8 : 16;
    }
}
