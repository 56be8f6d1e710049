package dev.spur.service.rounds;

import dev.spur.service.rounds.RoundObserver.RoundReport;
import org.springframework.stereotype.Component;

/** Delays background work while a round of this replica runs. */
@Component
public class RoundGate implements RoundObserver {
    private boolean closed;

    @Override
    public synchronized void begins() {
        closed = true;
    }

    @Override
    public void onEnd(RoundReport report) {
        // the end of the round opens the gate
    }

    @Override
    public synchronized void onIdle() {
        closed = false;
        notifyAll();
    }

    /** Waits until no round runs. Returns false if the thread was interrupted and must stop. */
    public synchronized boolean pass() {
        try {
            while (closed) {
                wait();
            }
            return !Thread.currentThread().isInterrupted();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
