package dev.spur.simulator.trace.synthetic;

import java.util.random.RandomGenerator;

/** How many accelerators jobs ask for: 1, 2, 4 or 8. */
public enum Sizes {
    /** One for each job. */
    SINGLE(1, 0, 0),
    /** 70 % ask for 1, 10 % for 2, 15 % for 4, 5 % for 8: the Philly mix of Narayanan et al., Gavel, OSDI '20. */
    GAVEL(0.70, 0.10, 0.15),
    /** 60 % ask for 1, 30 % for 2, 9 % for 4, 1 % for 8: the mix of Zheng et al., Shockwave, NSDI '23. */
    SHOCKWAVE(0.60, 0.30, 0.09);

    private final double one;
    private final double two;
    private final double four;

    Sizes(double one, double two, double four) {
        this.one = one;
        this.two = two;
        this.four = four;
    }

    int draw(RandomGenerator random) {
        double point = random.nextDouble();
        if (point < one) {
            return 1;
        }
        return point < one + two ? 2 : point < one + two + four ? 4 : 8;
    }
}
