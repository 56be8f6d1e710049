package dev.spur.service.round;

import dev.spur.service.store.Settings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * When the next round is due, on the monotonic clock of this process: a period after the start of the last one, sooner
 * if something important changed or a node opens or closes by the calendar, at once if somebody asks. The first period
 * begins with the schedule itself, so that the first round of a replica is the one that its lease asks for, and not one
 * besides. Calls from other threads never block for long.
 */
final class RoundSchedule {
    /** Longest part of a reason that is kept. */
    private static final int REASON_LENGTH = 200;
    /** A round looks at the database a little after it has begun, and is to see what opens or closes at that time. */
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

    /** Something changed that is worth an early round. */
    void changed(String why) {
        signal(() -> change = change == null ? shortened(why) : change);
    }

    /** A round is wanted now. */
    void demand(String why) {
        signal(() -> demand = demand == null ? shortened(why) : demand);
    }

    /** No more rounds. */
    void stop() {
        signal(() -> stopped = true);
    }

    /** How often rounds run from now on. */
    void pace(Settings other) {
        signal(() -> pace = other);
    }

    /** A node opens or closes {@code seconds} after the state that the last round saw; infinite if none does. */
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
     * @return why it is due, or null if there is to be no more
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

    private static String shortened(String why) {
        return why.length() <= REASON_LENGTH ? why : why.substring(0, REASON_LENGTH);
    }
}
