package dev.spur.simulator.replay;

import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.JobSpec;
import dev.spur.prediction.stall.LearnedStalls;
import dev.spur.simulator.trace.PolicyViewModel;
import org.jspecify.annotations.Nullable;

/** Simulated stalls of a job. Policies learn from them as the service learns from measured ones. */
final class SimulatedStalls {
    /** A stall that ends at {@code end}. */
    private record Stall(ChangeMechanism change, double seconds, double end) {}

    private final PolicyViewModel viewModel;
    private final FamilyHistory familyHistory;
    private LearnedStalls own = LearnedStalls.NOTHING;
    private LearnedStalls family = LearnedStalls.NOTHING;
    private @Nullable Stall current;
    private @Nullable JobSpec stated;
    private @Nullable JobSpec effective;

    SimulatedStalls(PolicyViewModel viewModel, FamilyHistory familyHistory) {
        this.viewModel = viewModel;
        this.familyHistory = familyHistory;
    }

    /** Begins a stall at {@code time}. It ends an earlier one, which then teaches nothing. */
    void begin(ChangeMechanism change, double seconds, double time) {
        current = new Stall(change, seconds, time + seconds);
    }

    /** Learns the stall that has ended by {@code now}. */
    void observe(double now) {
        if (current == null || now < current.end || !viewModel.learnsStalls()) {
            return;
        }
        if (own.isShared(current.change)) {
            familyHistory.add(viewModel, current.change, current.seconds);
        }
        own = own.and(current.change, current.seconds);
        current = null;
        effective = null;
    }

    /** Ends the run of the job: the stall of an unfinished change teaches nothing. */
    void stop() {
        current = null;
    }

    /** Returns true if its family has learned since the last call of {@link #effective}. */
    @SuppressWarnings("ReferenceEquality") // without a new measurement it is the same object
    boolean isOutdated() {
        return familyHistory.stalls(viewModel) != family;
    }

    /** Returns {@code spec} with the learned stalls; the same object as long as nothing has changed. */
    @SuppressWarnings("ReferenceEquality") // view models return the same object as long as nothing has changed
    JobSpec effective(JobSpec spec) {
        if (effective == null || spec != stated || isOutdated()) {
            stated = spec;
            family = familyHistory.stalls(viewModel);
            effective = own.effective(spec, family);
        }
        return effective;
    }
}
