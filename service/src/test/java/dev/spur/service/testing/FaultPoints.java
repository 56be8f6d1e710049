package dev.spur.service.testing;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Lets something happen to a replica at the beginning of a step of its rounds, once. */
public final class FaultPoints implements ObservationHandler<Observation.Context> {
    private final AtomicReference<@Nullable Fault> armed = new AtomicReference<>();
    private final AtomicInteger rounds = new AtomicInteger();

    private record Fault(String step, Runnable what) {}

    /** Arms a fault at a step, in place of one that has not happened yet. */
    public void at(String step, Runnable what) {
        armed.set(new Fault("round " + step, what));
    }

    /** Takes back a fault that has not happened. */
    public void disarm() {
        armed.set(null);
    }

    /** True while no round runs. */
    public boolean idle() {
        return rounds.get() == 0;
    }

    @Override
    public void onStop(Observation.Context context) {
        if ("round".equals(context.getContextualName())) {
            rounds.decrementAndGet();
        }
    }

    @Override
    public void onStart(Observation.Context context) {
        if ("round".equals(context.getContextualName())) {
            rounds.incrementAndGet();
        }
        Fault fault = armed.get();
        if (fault != null && fault.step().equals(context.getContextualName()) && armed.compareAndSet(fault, null)) {
            fault.what().run();
        }
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }
}
