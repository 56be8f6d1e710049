package dev.spur.solver.solve;

import dev.spur.model.round.SolveBudget;
import java.util.function.DoubleSupplier;

/** What is left of the budget of a round: deterministic work, with the clock behind it. */
public final class Effort {
    /** Seconds that are kept back for what comes after the solver. */
    private static final double RESERVE = 0.05;

    private final SolveBudget whole;
    private final DoubleSupplier secondsSpent;
    private double work;

    /** @param secondsSpent seconds since the round began */
    public Effort(SolveBudget whole, DoubleSupplier secondsSpent) {
        this.whole = whole;
        this.secondsSpent = secondsSpent;
        this.work = whole.work();
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

    /** A budget of the given share of the work that is left, up to the end of the time. */
    public SolveBudget share(double part) {
        return new SolveBudget(
                Math.max(1e-3, work * part), Math.max(1e-2, secondsLeft()), whole.workers(), whole.seed());
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
        return whole.wallSeconds() - RESERVE - secondsSpent.getAsDouble();
    }
}
