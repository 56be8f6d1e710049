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
    private LearnedStalls ownStalls = LearnedStalls.NOTHING;
    private LearnedStalls familyStalls = LearnedStalls.NOTHING;
    private @Nullable Stall currentStall;
    private @Nullable JobSpec statedSpec;
    private @Nullable JobSpec effectiveSpec;

    SimulatedStalls(PolicyViewModel viewModel, FamilyHistory familyHistory) {
        this.viewModel = viewModel;
        this.familyHistory = familyHistory;
    }

    /** Begins a stall at {@code time}. It ends an earlier one, which then teaches nothing. */
    void begin(ChangeMechanism change, double seconds, double time) {
        currentStall = new Stall(change, seconds, time + seconds);
    }

    /** Learns the stall that has ended by {@code now}. */
    void observe(double now) {
        if (currentStall == null || now < currentStall.end || !viewModel.learnsStalls()) {
            return;
        }
        if (ownStalls.isShared(currentStall.change)) {
            familyHistory.add(viewModel, currentStall.change, currentStall.seconds);
        }
        ownStalls = ownStalls.and(currentStall.change, currentStall.seconds);
        currentStall = null;
        effectiveSpec = null;
    }

    /** Ends the run of the job: the stall of an unfinished change teaches nothing. */
    void stop() {
        currentStall = null;
    }

    /** Returns true if its family has learned since the last call of {@link #effectiveSpec}. */
    @SuppressWarnings("ReferenceEquality") // without a new measurement it is the same object
    boolean isOutdated() {
        return familyHistory.stalls(viewModel) != familyStalls;
    }

    /** Returns {@code spec} with the learned stalls; the same object as long as nothing has changed. */
    @SuppressWarnings("ReferenceEquality") // view models return the same object as long as nothing has changed
    JobSpec effective(JobSpec spec) {
        if (effectiveSpec == null || spec != statedSpec || isOutdated()) {
            statedSpec = spec;
            familyStalls = familyHistory.stalls(viewModel);
            effectiveSpec = ownStalls.effective(spec, familyStalls);
        }
        return effectiveSpec;
    }
}
