package dev.spur.simulator.report;

import dev.spur.simulator.replay.ProgressListener;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Progress bar of a replay on one terminal line, updated at each percent. Short replays show none. */
public final class ProgressBar implements ProgressListener, AutoCloseable {
    private static final int WIDTH = 30;
    private static final long FIRST_AFTER_NANOS = 1_000_000_000L;
    private static final long EVERY_NANOS = 250_000_000L;

    private final PrintWriter out;
    private final String name;
    private final LongSupplier clock;
    private final long start;
    private long next;
    private int percent = -1;
    private int longest;

    /**
     * @param name name of the replay
     * @param clock monotonic clock, nanoseconds
     */
    public ProgressBar(PrintWriter out, String name, LongSupplier clock) {
        this.out = out;
        this.name = name;
        this.clock = clock;
        this.start = clock.getAsLong();
        this.next = start + FIRST_AFTER_NANOS;
    }

    @Override
    public void at(double time, int ended, int all) {
        int reached = all == 0 ? 100 : (int) (100L * ended / all);
        if (reached == percent) {
            return;
        }
        long now = clock.getAsLong();
        if (now >= next) {
            next = now + EVERY_NANOS;
            percent = reached;
            show(line(time, ended, all, (now - start) / 1e9));
        }
    }

    private String line(double time, int ended, int all, double seconds) {
        int full = WIDTH * percent / 100;
        return String.format(
                Locale.ROOT,
                "%s [%s%s] %3d %%  %,d of %,d jobs, day %.1f of the trace, %.0f s",
                name,
                "#".repeat(full),
                ".".repeat(WIDTH - full),
                percent,
                ended,
                all,
                time / 86_400,
                seconds);
    }

    private void show(String line) {
        longest = Math.max(longest, line.length());
        out.print("\r" + line + " ".repeat(longest - line.length()));
        out.flush();
    }

    /** Clears the line. */
    @Override
    public void close() {
        if (longest > 0) {
            out.print("\r" + " ".repeat(longest) + "\r");
            out.flush();
        }
    }
}
