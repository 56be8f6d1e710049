package dev.spur.solver.solve;

import dev.spur.model.round.SolveBudget;
import java.util.function.DoubleSupplier;

/** What is left of the budget of a round: deterministic work, with the clock behind it. */
public final class RemainingBudget {
    /** Seconds that are kept back in any case for what comes after the solver. */
    private static final double LEAST_RESERVE = 0.05;
    /**
     * What comes after the solver takes up to this much of the time of what came before it: both grow with the round.
     * On a warm machine it is half as much.
     */
    private static final double RESERVE_SHARE = 1.5;
    /**
     * On a cold machine what came before the solver took far longer than what follows will: no more than this share is
     * kept.
     */
    private static final double MOST_RESERVE = 0.25;

    private final SolveBudget whole;
    private final DoubleSupplier secondsSpent;
    private double work;
    private double reserve = LEAST_RESERVE;

    /** @param secondsSpent seconds since the round began */
    public RemainingBudget(SolveBudget whole, DoubleSupplier secondsSpent) {
        this.whole = whole;
        this.secondsSpent = secondsSpent;
        this.work = whole.work();
    }

    /** Says that the solver is about to begin: time is kept back for what comes after it. */
    public void beginSolving() {
        double inProportion = LEAST_RESERVE + RESERVE_SHARE * secondsSpent.getAsDouble();
        reserve = Math.max(LEAST_RESERVE, Math.min(inProportion, MOST_RESERVE * whole.wallSeconds()));
    }

    /** True if there is work and time left. */
    public boolean isLeft() {
        return work > 0 && !isClockCut();
    }

    /** True if the time is up, whatever work is left. */
    public boolean isClockCut() {
        return secondsLeft() <= 0;
    }

    /** True if more than {@code share} of the time is up. */
    public boolean isClockPast(double share) {
        return secondsSpent.getAsDouble() > share * whole.wallSeconds();
    }

    /** True if there are no more than {@code seconds} left for the solver. */
    public boolean isShortOf(double seconds) {
        return secondsLeft() <= seconds;
    }

    /** A budget of the given share of the work that is left, up to the end of the time. */
    public SolveBudget share(double part) {
        return new SolveBudget(
                Math.max(1e-3, work * part), Math.max(1e-2, secondsLeft()), whole.workers(), whole.seed());
    }

    /** Seconds that are left for the solver; 0 if the time is up. */
    public double seconds() {
        return Math.max(0, secondsLeft());
    }

    /** Takes off work that was done. */
    public void spend(double done) {
        work -= done;
    }

    /** Work units spent so far. */
    public double spent() {
        return whole.work() - work;
    }

    private double secondsLeft() {
        return whole.wallSeconds() - reserve - secondsSpent.getAsDouble();
    }
}
