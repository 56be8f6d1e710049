package dev.spur.cli;

import java.io.PrintStream;
import java.util.Timer;
import java.util.TimerTask;

/** Line on the standard error of a terminal while a request takes longer than 2 s. Silent without a terminal. */
final class ProgressLine {
    private static final long DELAY_MILLIS = 2_000;

    private final String text;
    private boolean shown;
    private boolean closed;

    private ProgressLine(String text) {
        this.text = text;
    }

    static ProgressLine start(String text) {
        var line = new ProgressLine(text);
        if (Terminal.isKnown()) {
            new Timer("progress", true)
                    .schedule(
                            new TimerTask() {
                                @Override
                                public void run() {
                                    line.show(System.err);
                                }
                            },
                            DELAY_MILLIS);
        }
        return line;
    }

    private synchronized void show(PrintStream err) {
        if (!closed) {
            err.print(text);
            err.flush();
            shown = true;
        }
    }

    /** Erases the line. */
    synchronized void erase() {
        closed = true;
        if (shown) {
            System.err.print("\r" + " ".repeat(text.length()) + "\r");
            System.err.flush();
        }
    }
}
