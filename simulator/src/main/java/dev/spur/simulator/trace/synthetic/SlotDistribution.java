package dev.spur.simulator.trace.synthetic;

import java.util.random.RandomGenerator;

/** Distribution of the number of requested accelerators: 1, 2, 4, 8 or 16. */
public enum SlotDistribution {
    /** One accelerator per job. */
    SINGLE(1, 0, 0, 1),
    /**
     * 70 % request 1, 10 % request 2, 15 % request 4, 5 % request 8: the Philly mix of Narayanan et al., Gavel, OSDI
     * '20.
     */
    GAVEL(0.70, 0.10, 0.15, 1),
    /** 60 % request 1, 30 % request 2, 9 % request 4, 1 % request 8: the mix of Zheng et al., Shockwave, NSDI '23. */
    SHOCKWAVE(0.60, 0.30, 0.09, 1),
    /**
     * 76 % are small, up to 4, and 24 % are large. Source of the fractions: the bins of Gu et al., Tiresias, NSDI '19.
     * The distribution within a bin is an assumption: small jobs follow {@link #GAVEL}, two of three large jobs request
     * 8 and one requests 16.
     */
    TIRESIAS(0.56, 0.08, 0.12, 2.0 / 3);

    private final double one;
    private final double two;
    private final double four;
    /** Fraction of the jobs with more than 4 accelerators that request 8. */
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
