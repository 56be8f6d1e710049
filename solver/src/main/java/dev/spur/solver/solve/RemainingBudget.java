package dev.spur.solver.solve;

import dev.spur.model.round.SolveBudget;
import java.util.function.DoubleSupplier;

/** Remaining budget of a round: deterministic work, with a time limit behind it. */
public final class RemainingBudget {
    /** Seconds reserved in any case for the steps after the solver. */
    public static final double MIN_RESERVE = 0.03;
    /**
     * Time reserved for the steps after the solver, relative to that of the steps before it: both grow with the round.
     * On a warm machine they take about half as much.
     */
    private static final double RESERVE_SHARE = 0.6;
    /**
     * Maximum reserve, as a fraction of the budget. On a cold machine the steps before the solver take far longer than
     * those after it.
     */
    private static final double MAX_RESERVE = 0.25;

    private final SolveBudget wholeBudget;
    private final DoubleSupplier secondsSpent;
    private double work;
    private double reserve = MIN_RESERVE;
    private boolean hasCutSolve;

    /** @param secondsSpent seconds since the round began */
    public RemainingBudget(SolveBudget wholeBudget, DoubleSupplier secondsSpent) {
        this.wholeBudget = wholeBudget;
        this.secondsSpent = secondsSpent;
        this.work = wholeBudget.work();
    }

    /** Marks the start of the solver: time is reserved for the steps after it. */
    public void beginSolving() {
        double inProportion = MIN_RESERVE + RESERVE_SHARE * secondsSpent.getAsDouble();
        reserve = Math.max(MIN_RESERVE, Math.min(inProportion, MAX_RESERVE * wholeBudget.wallSeconds()));
    }

    /** Returns whether work and time are left. */
    public boolean isLeft() {
        return work > 0 && secondsLeft() > 0;
    }

    /** Returns whether the time limit is reached, whatever work is left, or ended a solve. */
    public boolean isClockCut() {
        return hasCutSolve || secondsLeft() <= 0;
    }

    /** Records that its time limit ended a solve. It may be a share of the time, so later solves may have time left. */
    public void recordCutSolve() {
        hasCutSolve = true;
    }

    /** Returns whether less than {@code share} of the whole time is left for the solver. */
    public boolean isShortOfShare(double share) {
        return secondsLeft() < share * wholeBudget.wallSeconds();
    }

    /** Returns a budget of the given fraction of the remaining work, up to the time limit. */
    public SolveBudget share(double part) {
        return new SolveBudget(
                Math.max(1e-3, work * part), Math.max(1e-2, secondsLeft()), wholeBudget.workers(), wholeBudget.seed());
    }

    /** Returns a budget of the given fraction of the remaining work and of the remaining time. */
    public SolveBudget shareOfTime(double part) {
        SolveBudget share = share(part);
        return new SolveBudget(share.work(), Math.max(1e-2, part * secondsLeft()), share.workers(), share.seed());
    }

    /** Returns a copy for a search in parallel with a solve of the same budget. */
    public RemainingBudget copy() {
        double begin = secondsSpent.getAsDouble() + MIN_RESERVE;
        return new RemainingBudget(share(1), () -> secondsSpent.getAsDouble() - begin);
    }

    /** Returns the seconds left for the solver; 0 after the time limit. */
    public double seconds() {
        return Math.max(0, secondsLeft());
    }

    /** Subtracts work done. */
    public void spend(double done) {
        work -= done;
    }

    /** Returns the work units left; 0 when all are spent. */
    public double workLeft() {
        return Math.max(0, work);
    }

    /** Returns the work units spent so far. */
    public double spentWork() {
        return wholeBudget.work() - work;
    }

    private double secondsLeft() {
        return wholeBudget.wallSeconds() - reserve - secondsSpent.getAsDouble();
    }
}
