package dev.spur.service.round;

import org.springframework.stereotype.Component;

/** Holds work back that can wait while a round of this replica runs. */
@Component
public class RoundGate implements RoundObserver {
    private boolean closed;

    @Override
    public synchronized void begins() {
        closed = true;
    }

    @Override
    public void ended(RoundReport report) {
        // what opens the gate is that the round is over
    }

    @Override
    public synchronized void over() {
        closed = false;
        notifyAll();
    }

    /** Waits until no round runs. Returns false if the thread was interrupted: it should give up. */
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
