package dev.spur.simulator.replay;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.utility.Goodput;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.TraceJob;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Job between its arrival and its end. */
final class ActiveJob {
    private final TraceJob source;
    /** Job-seconds of all active jobs at its arrival. */
    private final double activeJobSecondsAtArrival;

    private final FamilyHistory familyHistory;
    private final SimulatedStalls stalls;
    private List<Configuration> ran = List.of();
    private List<Configuration> familyRuns = List.of();
    private double saved;
    private double lost;
    private double attained;
    private double useful;
    /** Samples up to which {@code useful} counts. */
    private double counted;

    private double runSeconds;
    private int starts;
    private @Nullable Double firstStart;
    private double waitingSince;
    private double unservedSince;
    private DeadlineStatus deadlineStatus;

    private @Nullable Allocation allocation;
    private @Nullable JobRun run;
    private GroundTruth truth;
    private double heldUntilNow;
    private double end = Double.POSITIVE_INFINITY;

    private @Nullable PolicyView stated;
    private @Nullable PolicyView belief;
    private @Nullable Job seen;
    private @Nullable Double startedHere;
    private @Nullable Double endedAt;

    ActiveJob(TraceJob source, double activeJobSecondsAtArrival, FamilyHistory familyHistory) {
        this.source = source;
        this.familyHistory = familyHistory;
        this.stalls = new SimulatedStalls(source.viewModel(), familyHistory);
        this.truth = source.truth();
        this.activeJobSecondsAtArrival = activeJobSecondsAtArrival;
        this.waitingSince = source.arrival();
        this.unservedSince = source.arrival();
        this.deadlineStatus = source.deadline() == null ? DeadlineStatus.NONE : DeadlineStatus.PENDING;
    }

    /**
     * Creates a job from its state in a round at {@code now}, with its past service. Progress starts at 0 there:
     * {@code source} describes the remaining work.
     */
    static ActiveJob resume(TraceJob source, Job job, double now) {
        ActiveJob active = new ActiveJob(source, 0, new FamilyHistory());
        ServiceHistory had = job.history();
        active.attained = had.attainedService();
        active.runSeconds = had.runSeconds();
        active.starts = had.firstStart() == null ? 0 : had.restarts() + 1;
        active.firstStart = had.firstStart();
        active.waitingSince = had.waitingSince();
        active.unservedSince = had.unservedSince();
        active.deadlineStatus = job.deadlineStatus();
        Allocation held = job.allocation();
        if (held != null) {
            active.starts = Math.max(1, active.starts);
            active.allocation = held;
            active.run = new JobRun(source.truth(), held.configuration(), now + job.restartSecondsLeft(now), 0);
            active.end = active.run.end();
            active.heldUntilNow = now;
        }
        active.seenAt(now);
        return active;
    }

    TraceJob source() {
        return source;
    }

    String id() {
        return source.id();
    }

    double activeJobSecondsAtArrival() {
        return activeJobSecondsAtArrival;
    }

    @Nullable
    Allocation allocation() {
        return allocation;
    }

    /** Returns the end of the job under its current allocation; infinite if it waits or makes no progress. */
    double end() {
        return end;
    }

    /** Returns the end of its protection from preemption; in the past if it may be preempted now. */
    double protectedUntil() {
        if (allocation == null || belief == null || !belief.spec().preemptible()) {
            return Double.NEGATIVE_INFINITY;
        }
        return allocation.since() + belief.spec().protectionSeconds();
    }

    /** Returns the job as a policy sees it at {@code now}; the same object as long as nothing has changed. */
    Job seenAt(double now) {
        if (allocation == null) {
            updateFamilyRuns();
        }
        if (run != null || seen == null || stalls.isOutdated()) {
            catchUp(now);
            learn(now);
            stated = source.viewModel().after(new RunHistory(doneSamples(now), ran, familyRuns));
            belief = stated.withSpec(stalls.effective(stated.spec()));
            tuneBatch(belief.spec());
            seen = new Job(
                    id(),
                    source.tenant(),
                    source.arrival(),
                    belief.spec(),
                    belief.remainingSamples(),
                    source.deadline(),
                    deadlineStatus,
                    new ServiceHistory(
                            attained, runSeconds, Math.max(0, starts - 1), firstStart, waitingSince, unservedSince, 0),
                    allocation,
                    belief.profilingTarget());
        }
        return seen;
    }

    void deadlineStatus(DeadlineStatus status) {
        if (status != deadlineStatus) {
            deadlineStatus = status;
            seen = null;
        }
    }

    /**
     * Applies the allocation of a decision.
     *
     * @return the allocation interval that ends by it; null if none ends
     */
    @Nullable
    AllocationInterval take(@Nullable Allocation given, double now) {
        Allocation held = allocation;
        if (given == null) {
            return held == null ? null : stop(now, doneSamples(now));
        }
        if (held != null && (given.equals(held) || given.sameRunAs(held) || onlyRetunes(held, given))) {
            if (!given.configuration().equals(held.configuration())
                    || !given.aggregation().equals(held.aggregation())) {
                allocation = AllocationCopies.since(held.since(), given);
                if (run != null && run.grant(given.configuration().host(), now)) {
                    end = run.end();
                }
                seen = null;
            }
            return null;
        }
        ChangeMechanism mechanism = mechanism(held, given);
        if (held != null && mechanism == ChangeMechanism.RECONFIGURE) {
            change(AllocationCopies.since(held.since(), given), mechanism, 0, now);
            return null;
        }
        if (held != null && mechanism == ChangeMechanism.RESCALE) {
            countUseful(doneSamples(now));
            endStint(held, now);
            double warmUp = given.ranksIn(held).contains(null) ? source.truth().startSeconds(false) : 0;
            change(AllocationCopies.since(now, given.inRankOrderOf(held)), mechanism, warmUp, now);
            return new AllocationInterval(id(), held.since(), now, held);
        }
        AllocationInterval before = held == null ? null : stop(now, doneSamples(now));
        double stall = mechanism == ChangeMechanism.MIGRATE
                ? stallSeconds(mechanism)
                : source.truth().startSeconds(starts == 0);
        start(AllocationCopies.since(now, given), mechanism, stall, now);
        return before;
    }

    /**
     * Continues from {@code now} with steps that take {@code factor} times as long as on nodes without other jobs.
     *
     * @return true if the end changed
     */
    boolean slowDown(double factor, double now) {
        if (run == null || !run.slowDown(factor, now)) {
            return false;
        }
        end = run.end();
        return true;
    }

    /** Ends the current allocation after a failure of one of its nodes. Progress since the last checkpoint is lost. */
    AllocationInterval fail(double now, double checkpointSeconds) {
        double done = doneSamples(now);
        double retained = run == null ? saved : Math.max(saved, run.savedBy(now, checkpointSeconds));
        lost += done - retained;
        return stop(now, retained);
    }

    /** Ends the job. Returns its last allocation interval. */
    AllocationInterval finish() {
        endedAt = end;
        return stop(end, doneSamples(end));
    }

    /** Returns the start and end of the job since the replay began. */
    SimulatedTimes times() {
        return new SimulatedTimes(startedHere, endedAt);
    }

    /**
     * Returns the outcome.
     *
     * @param fairness finish-time fairness; null if the job never ended
     */
    JobOutcome outcome(@Nullable Double ended, @Nullable Double fairness) {
        return new JobOutcome(
                id(), source.arrival(), firstStart, ended, Math.max(0, starts - 1), attained, useful, lost, fairness);
    }

    private void start(Allocation given, ChangeMechanism mechanism, double stall, double now) {
        double ready = now + stall;
        if (starts > 0) {
            stalls.begin(mechanism, stall, now);
        }
        starts++;
        firstStart = firstStart == null ? Double.valueOf(now) : firstStart;
        startedHere = startedHere == null ? Double.valueOf(now) : startedHere;
        allocation = given;
        updateFamilyRuns();
        truth = source.truth().after(ran, familyRuns);
        run = new JobRun(truth, given.configuration(), ready, saved);
        end = run.end();
        heldUntilNow = now;
        seen = null;
    }

    private AllocationInterval stop(double now, double done) {
        Allocation held = allocation;
        if (held == null) {
            throw new IllegalStateException("job %s has no allocation at %s".formatted(id(), now));
        }
        catchUp(now);
        countUseful(done);
        saved = done;
        endStint(held, now);
        allocation = null;
        run = null;
        stalls.stop();
        end = Double.POSITIVE_INFINITY;
        waitingSince = now;
        seen = null;
        return new AllocationInterval(id(), held.since(), now, held);
    }

    /** Counts the allocation that ends at {@code now} as service if it was a stint. */
    private void endStint(Allocation held, double now) {
        if (seen != null) {
            unservedSince = seen.withAllocation(held).unservedSinceAfter(now);
        }
    }

    private double doneSamples(double now) {
        return run == null ? saved : run.samplesDone(now);
    }

    private void catchUp(double now) {
        if (allocation == null || run == null) {
            return;
        }
        attained += allocation.configuration().slots() * (now - heldUntilNow);
        runSeconds += now - heldUntilNow;
        heldUntilNow = now;
        run.samplesDone(now);
        stalls.observe(now);
        if (!ran.containsAll(run.ran())) {
            Set<Configuration> more = new LinkedHashSet<>(ran);
            more.addAll(run.ran());
            ran = List.copyOf(more);
            familyHistory.add(source.viewModel(), ran);
        }
    }

    /**
     * Updates the observations of the job's family. They matter for a job that waits or starts; a running job uses its
     * own.
     */
    @SuppressWarnings("ReferenceEquality")
    private void updateFamilyRuns() {
        List<Configuration> updated = familyHistory.of(source.viewModel());
        if (updated != familyRuns) {
            familyRuns = updated;
            seen = null;
        }
    }

    /**
     * Updates the ground truth after new observations. Without new observations it is the same object, so identity
     * suffices.
     */
    @SuppressWarnings("ReferenceEquality")
    private void learn(double now) {
        GroundTruth learned = source.truth().after(ran, familyRuns);
        if (run != null && learned != truth && run.hasBegunBy(now)) {
            truth = learned;
            run.learn(learned, now);
            end = run.end();
        }
    }

    private ChangeMechanism mechanism(@Nullable Allocation held, Allocation given) {
        return belief == null ? ChangeMechanism.RESTART : belief.spec().change(held, given);
    }

    /** Counts the slot-seconds up to {@code done} samples in the present configuration as useful. */
    private void countUseful(double done) {
        if (belief != null && allocation != null && done > counted) {
            useful += EfficiencyBaseline.slotSeconds(
                    source.truth(), belief.spec(), allocation.configuration(), counted, done);
            counted = done;
        }
    }

    private double stallSeconds(ChangeMechanism mechanism) {
        JobSpec spec = Objects.requireNonNull(stated).spec();
        return source.truth().stallSeconds(mechanism).orElseGet(() -> spec.stallSeconds(mechanism));
    }

    /**
     * Continues the same run with {@code given}, after the stall of the change.
     *
     * @param warmUp seconds before the stall in which joining ranks start and the job trains as before
     */
    private void change(Allocation given, ChangeMechanism mechanism, double warmUp, double now) {
        catchUp(now);
        allocation = given;
        if (run != null && stated != null) {
            double stall = stallSeconds(mechanism);
            stalls.begin(mechanism, stall, now + warmUp);
            run.change(given.configuration(), now, warmUp, stall);
            end = run.end();
        }
        seen = null;
    }

    /** Returns true if only the batch size of a job that tunes it itself differs. */
    private boolean onlyRetunes(Allocation held, Allocation given) {
        return source.truth().tunesBatch()
                && given.sameRunAs(AllocationCopies.withBatchOf(given.configuration(), held));
    }

    /**
     * Sets the batch size of an adaptive job to the best one by its current observations, so that its policy sees it.
     * Without new observations the view model returns the same object, so identity suffices.
     */
    @SuppressWarnings("ReferenceEquality")
    private void tuneBatch(JobSpec spec) {
        if (allocation == null || !source.truth().tunesBatch() || (seen != null && seen.spec() == spec)) {
            return;
        }
        Configuration held = allocation.configuration();
        int batch = Goodput.bestBatch(
                        spec,
                        held.acceleratorType(),
                        held.slots(),
                        held.nodes(),
                        held.strategy(),
                        held.aggregationSlots())
                .orElse(held.batchSize());
        if (batch != held.batchSize()) {
            int steps = spec.batch().accumulationSteps(batch, held.acceleratorType(), held.slots());
            allocation = AllocationCopies.withBatch(allocation, batch, steps);
        }
    }
}
