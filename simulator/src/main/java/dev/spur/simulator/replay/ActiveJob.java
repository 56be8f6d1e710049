package dev.spur.simulator.replay;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ServiceHistory;
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
    private final TraceJob sourceJob;
    /** Job-seconds of all active jobs at its arrival. */
    private final double activeJobSecondsAtArrival;

    private final FamilyHistory familyHistory;
    private final SimulatedStalls stalls;
    private List<Configuration> pastConfigurations = List.of();
    private List<Configuration> familyConfigurations = List.of();
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

    private @Nullable PolicyView statedView;
    private @Nullable PolicyView view;
    private @Nullable Job seenJob;
    private @Nullable Double startedHere;
    private @Nullable Double endedAt;

    ActiveJob(TraceJob sourceJob, double activeJobSecondsAtArrival, FamilyHistory familyHistory) {
        this.sourceJob = sourceJob;
        this.familyHistory = familyHistory;
        this.stalls = new SimulatedStalls(sourceJob.viewModel(), familyHistory);
        this.truth = sourceJob.truth();
        this.activeJobSecondsAtArrival = activeJobSecondsAtArrival;
        this.waitingSince = sourceJob.arrival();
        this.unservedSince = sourceJob.arrival();
        this.deadlineStatus = sourceJob.deadline() == null ? DeadlineStatus.NONE : DeadlineStatus.PENDING;
    }

    /**
     * Creates a job from its state in a round at {@code now}, with its past service. Progress starts at 0 there:
     * {@code sourceJob} describes the remaining work.
     */
    static ActiveJob resume(TraceJob sourceJob, Job job, double now) {
        ActiveJob active = new ActiveJob(sourceJob, 0, new FamilyHistory());
        ServiceHistory had = job.history();
        active.attained = had.attainedService();
        active.runSeconds = had.runSeconds();
        active.starts = had.firstStart() == null ? 0 : had.restarts() + 1;
        active.firstStart = had.firstStart();
        active.waitingSince = had.waitingSince();
        active.unservedSince = had.unservedSince();
        active.deadlineStatus = job.deadlineStatus();
        Allocation heldAllocation = job.allocation();
        if (heldAllocation != null) {
            active.starts = Math.max(1, active.starts);
            active.allocation = heldAllocation;
            active.run = new JobRun(
                            sourceJob.truth(), heldAllocation.configuration(), now + job.restartSecondsLeft(now), 0)
                    .endingBy(now + job.secondsToEndByLimit(now));
            active.end = active.run.end();
            active.heldUntilNow = now;
        }
        active.seenAt(now);
        return active;
    }

    TraceJob sourceJob() {
        return sourceJob;
    }

    String id() {
        return sourceJob.id();
    }

    double activeJobSecondsAtArrival() {
        return activeJobSecondsAtArrival;
    }

    /** Returns true if it has ever held slots. */
    boolean hasStarted() {
        return starts > 0;
    }

    @Nullable
    Allocation allocation() {
        return allocation;
    }

    /** Returns the end of the job under its current allocation; infinite if it waits, or does not end in it. */
    double end() {
        return end;
    }

    /** Returns the end of its protection from preemption; in the past if it may be preempted now. */
    double protectedUntil() {
        if (allocation == null || view == null || !view.spec().preemptible()) {
            return Double.NEGATIVE_INFINITY;
        }
        return allocation.since() + view.spec().protectionSeconds();
    }

    /** Returns the job as a policy sees it at {@code now}; the same object as long as nothing has changed. */
    Job seenAt(double now) {
        if (allocation == null) {
            updateFamilyRuns();
        }
        if (run != null || seenJob == null || stalls.isOutdated()) {
            catchUp(now);
            learn(now);
            statedView = sourceJob
                    .viewModel()
                    .after(new RunHistory(doneSamples(now), pastConfigurations, familyConfigurations));
            view = statedView.withSpec(stalls.effective(statedView.spec()));
            tuneBatch(view.spec());
            seenJob = new Job(
                    id(),
                    sourceJob.tenant(),
                    sourceJob.arrival(),
                    view.spec(),
                    view.remainingSamples(),
                    sourceJob.deadline(),
                    deadlineStatus,
                    new ServiceHistory(
                            attained, runSeconds, Math.max(0, starts - 1), firstStart, waitingSince, unservedSince, 0),
                    allocation,
                    view.profilingTarget());
        }
        return seenJob;
    }

    void deadlineStatus(DeadlineStatus status) {
        if (status != deadlineStatus) {
            deadlineStatus = status;
            seenJob = null;
        }
    }

    /**
     * Applies the allocation of a decision.
     *
     * @return the allocation interval that ends by it; null if none ends
     */
    @Nullable
    AllocationInterval take(@Nullable Allocation givenAllocation, double now) {
        Allocation heldAllocation = allocation;
        if (givenAllocation == null) {
            return heldAllocation == null ? null : stop(now, doneSamples(now));
        }
        if (heldAllocation != null
                && (givenAllocation.equals(heldAllocation)
                        || givenAllocation.sameRunAs(heldAllocation)
                        || onlyRetunes(heldAllocation, givenAllocation))) {
            if (!givenAllocation.configuration().equals(heldAllocation.configuration())
                    || !givenAllocation.aggregation().equals(heldAllocation.aggregation())) {
                allocation = AllocationCopies.since(heldAllocation.since(), givenAllocation);
                if (run != null && run.grant(givenAllocation.configuration().host(), now)) {
                    end = run.end();
                }
                seenJob = null;
            }
            return null;
        }
        ChangeMechanism mechanism = mechanism(heldAllocation, givenAllocation);
        if (heldAllocation != null && mechanism == ChangeMechanism.RECONFIGURE) {
            change(AllocationCopies.since(heldAllocation.since(), givenAllocation), mechanism, 0, now);
            return null;
        }
        if (heldAllocation != null && mechanism == ChangeMechanism.RESCALE) {
            countUseful(doneSamples(now));
            endStint(heldAllocation, now);
            double warmUp = givenAllocation.ranksIn(heldAllocation).contains(null)
                    ? sourceJob.truth().startSeconds(false)
                    : 0;
            change(AllocationCopies.since(now, givenAllocation.inRankOrderOf(heldAllocation)), mechanism, warmUp, now);
            return new AllocationInterval(id(), heldAllocation.since(), now, heldAllocation);
        }
        AllocationInterval before = heldAllocation == null ? null : stop(now, doneSamples(now));
        double stall = mechanism == ChangeMechanism.MIGRATE
                ? stallSeconds(mechanism)
                : sourceJob.truth().startSeconds(starts == 0);
        start(AllocationCopies.since(now, givenAllocation), mechanism, stall, now);
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
                id(),
                sourceJob.arrival(),
                firstStart,
                ended,
                Math.max(0, starts - 1),
                attained,
                useful,
                lost,
                fairness);
    }

    private void start(Allocation givenAllocation, ChangeMechanism mechanism, double stall, double now) {
        if (starts > 0) {
            stalls.begin(mechanism, stall, now);
        }
        starts++;
        firstStart = firstStart == null ? Double.valueOf(now) : firstStart;
        startedHere = startedHere == null ? Double.valueOf(now) : startedHere;
        allocation = givenAllocation;
        updateFamilyRuns();
        truth = sourceJob.truth().after(pastConfigurations, familyConfigurations);
        double limit = view == null ? Double.POSITIVE_INFINITY : view.spec().secondsToEndByLimit(runSeconds, 0);
        run = new JobRun(truth, givenAllocation.configuration(), now + stall, saved).endingBy(now + limit);
        end = run.end();
        heldUntilNow = now;
        seenJob = null;
    }

    private AllocationInterval stop(double now, double done) {
        Allocation heldAllocation = allocation;
        if (heldAllocation == null) {
            throw new IllegalStateException("job %s has no allocation at %s".formatted(id(), now));
        }
        catchUp(now);
        countUseful(done);
        saved = done;
        endStint(heldAllocation, now);
        allocation = null;
        run = null;
        stalls.stop();
        end = Double.POSITIVE_INFINITY;
        waitingSince = now;
        seenJob = null;
        return new AllocationInterval(id(), heldAllocation.since(), now, heldAllocation);
    }

    /** Counts the allocation that ends at {@code now} as service if it was a stint. */
    private void endStint(Allocation heldAllocation, double now) {
        if (seenJob != null) {
            unservedSince = seenJob.withAllocation(heldAllocation).unservedSinceAfter(now);
        }
    }

    private double doneSamples(double now) {
        return run == null ? saved : run.samplesDone(now);
    }

    /** Returns the devices that the job holds, with its share of a device; 0 before its state is known. */
    double devices() {
        return allocation == null || statedView == null ? 0 : devicesIn(allocation);
    }

    /** Returns the devices that the job holds with {@code heldAllocation}. */
    double devicesIn(Allocation heldAllocation) {
        return Objects.requireNonNull(statedView).spec().devicesIn(heldAllocation.configuration());
    }

    private void catchUp(double now) {
        if (allocation == null || run == null) {
            return;
        }
        attained += devices() * (now - heldUntilNow);
        runSeconds += now - heldUntilNow;
        heldUntilNow = now;
        run.samplesDone(now);
        stalls.observe(now);
        if (!pastConfigurations.containsAll(run.pastConfigurations())) {
            Set<Configuration> more = new LinkedHashSet<>(pastConfigurations);
            more.addAll(run.pastConfigurations());
            pastConfigurations = List.copyOf(more);
            familyHistory.add(sourceJob.viewModel(), pastConfigurations);
        }
    }

    /**
     * Updates the observations of the job's family. They matter for a job that waits or starts; a running job uses its
     * own.
     */
    @SuppressWarnings("ReferenceEquality")
    private void updateFamilyRuns() {
        List<Configuration> updated = familyHistory.of(sourceJob.viewModel());
        if (updated != familyConfigurations) {
            familyConfigurations = updated;
            seenJob = null;
        }
    }

    /**
     * Updates the ground truth after new observations. Without new observations it is the same object, so identity
     * suffices.
     */
    @SuppressWarnings("ReferenceEquality")
    private void learn(double now) {
        GroundTruth learnedTruth = sourceJob.truth().after(pastConfigurations, familyConfigurations);
        if (run != null && learnedTruth != truth && run.hasBegunBy(now)) {
            truth = learnedTruth;
            run.learn(learnedTruth, now);
            end = run.end();
        }
    }

    private ChangeMechanism mechanism(@Nullable Allocation heldAllocation, Allocation allocation) {
        return view == null ? ChangeMechanism.RESTART : view.spec().change(heldAllocation, allocation);
    }

    /** Counts the slot-seconds up to {@code done} samples in the present configuration as useful. */
    private void countUseful(double done) {
        if (view != null && allocation != null && done > counted) {
            useful += EfficiencyBaseline.slotSeconds(
                    sourceJob.truth(), view.spec(), allocation.configuration(), counted, done);
            counted = done;
        }
    }

    private double stallSeconds(ChangeMechanism mechanism) {
        JobSpec spec = Objects.requireNonNull(statedView).spec();
        return sourceJob.truth().stallSeconds(mechanism).orElseGet(() -> spec.stallSeconds(mechanism));
    }

    /**
     * Continues the same run with {@code givenAllocation}, after the stall of the change.
     *
     * @param warmUp seconds before the stall in which joining ranks start and the job trains as before
     */
    private void change(Allocation givenAllocation, ChangeMechanism mechanism, double warmUp, double now) {
        catchUp(now);
        allocation = givenAllocation;
        if (run != null && statedView != null) {
            double stall = stallSeconds(mechanism);
            stalls.begin(mechanism, stall, now + warmUp);
            run.change(givenAllocation.configuration(), now, warmUp, stall);
            end = run.end();
        }
        seenJob = null;
    }

    /** Returns true if only the batch size of a job that tunes it itself differs. */
    private boolean onlyRetunes(Allocation heldAllocation, Allocation allocation) {
        return sourceJob.truth().tunesBatch()
                && allocation.sameRunAs(AllocationCopies.withBatchOf(allocation.configuration(), heldAllocation));
    }

    /**
     * Sets the batch size of an adaptive job to the best one by its current observations, so that its policy sees it.
     * Without new observations the view model returns the same object, so identity suffices.
     */
    @SuppressWarnings("ReferenceEquality")
    private void tuneBatch(JobSpec spec) {
        if (allocation == null || !sourceJob.truth().tunesBatch() || (seenJob != null && seenJob.spec() == spec)) {
            return;
        }
        allocation = AllocationCopies.withBestBatch(allocation, spec);
    }
}
