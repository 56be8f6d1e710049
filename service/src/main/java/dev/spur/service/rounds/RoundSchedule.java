package dev.spur.service.rounds;

import dev.spur.service.cluster.Settings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Time of the next round, on the monotonic clock of this process. It is one period after the start of the last round.
 * It is sooner after an important change or when a node opens or closes by the calendar, and immediate on demand. The
 * first period begins with the schedule itself, so that the first round of a replica is the one that its lease
 * triggers, without an additional one. Calls from other threads never block for long.
 */
final class RoundSchedule {
    /** Maximum length of a stored reason. */
    private static final int REASON_LENGTH = 200;
    /**
     * Delay of a calendar round. A round reads the database shortly after it begins, and must then see what opens or
     * closes at that time.
     */
    private static final double AFTERWARDS_SECONDS = 0.1;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition something = lock.newCondition();
    private Settings pace = Settings.DEFAULT;
    private long lastStart = System.nanoTime();
    private @Nullable String change;
    private @Nullable String demand;
    /** Seconds from the last start to the next opening. */
    private double opening = Double.POSITIVE_INFINITY;

    private boolean stopped;

    /** Triggers an early round after a change. */
    void requestRound(String why) {
        signal(() -> change = change == null ? shorten(why) : change);
    }

    /** Triggers an immediate round. */
    void demand(String why) {
        signal(() -> demand = demand == null ? shorten(why) : demand);
    }

    /** Stops the schedule. */
    void stop() {
        signal(() -> stopped = true);
    }

    /** Sets the round interval. */
    void pace(Settings other) {
        signal(() -> pace = other);
    }

    /** Schedules a round for a node that opens or closes {@code seconds} after the last snapshot; infinite for none. */
    void opens(double seconds) {
        signal(() -> opening = seconds + AFTERWARDS_SECONDS);
    }

    boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a round is due and counts it as started.
     *
     * @return the trigger, or null after {@link #stop}
     */
    @Nullable
    String awaitDue() throws InterruptedException {
        lock.lock();
        try {
            while (!stopped) {
                long wait = nanosUntilDue(System.nanoTime());
                if (wait <= 0) {
                    return startNow();
                }
                long left = something.awaitNanos(wait);
                assert left <= wait;
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private String startNow() {
        boolean opens = opening < pace.roundSeconds();
        String why = demand != null ? demand : change != null ? "change: " + change : opens ? "calendar" : "period";
        opening = Double.POSITIVE_INFINITY;
        lastStart = System.nanoTime();
        change = null;
        demand = null;
        return why;
    }

    private long nanosUntilDue(long now) {
        if (demand != null) {
            return 0;
        }
        double seconds = change == null ? pace.roundSeconds() : Math.min(pace.roundSeconds(), pace.earlyRoundSeconds());
        return lastStart + (long) (Math.min(seconds, opening) * TimeUnit.SECONDS.toNanos(1)) - now;
    }

    private void signal(Runnable update) {
        lock.lock();
        try {
            update.run();
            something.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static String shorten(String why) {
        return why.length() <= REASON_LENGTH ? why : why.substring(0, REASON_LENGTH);
    }
}
