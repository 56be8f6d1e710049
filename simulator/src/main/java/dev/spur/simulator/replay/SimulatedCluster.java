package dev.spur.simulator.replay;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Decision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** State of the simulated cluster and its jobs, advanced event by event. */
final class SimulatedCluster {
    /** Error of a sum of shares. */
    private static final double ROUNDING = 1e-9;

    /** Predicted end of a job under its current allocation. */
    private record End(double time, ActiveJob job) {}

    private final ReplaySettings settings;
    private final ClusterConfig cluster;
    private final List<TraceJob> arrivingJobs;
    private final OutcomeRecorder recorder;
    private final SimulatedNodes nodes;
    private final Calendar calendar;
    private final DecayedUsage decayedUsages;
    private final SharedNetworks networks;
    private final FamilyHistory familyHistory = new FamilyHistory();
    private final SimulatedDependencies dependencies;

    private final Map<String, ActiveJob> active = new LinkedHashMap<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>(
            Comparator.comparingDouble(End::time).thenComparing(end -> end.job().id()));
    /** Listener to arrivals. */
    private Consumer<ActiveJob> onArrival = job -> {};
    /** True if jobs that all run may still get other slots or another type. */
    private final boolean flexible;

    private final PriorityQueue<Double> releases = new PriorityQueue<>();
    private RoundMemory memory = RoundMemory.EMPTY;
    private int arrived;
    private int running;
    private boolean news;
    private double now;

    SimulatedCluster(ClusterConfig cluster, List<TraceJob> arrivingJobs, ReplaySettings settings) {
        this.settings = settings;
        this.cluster = cluster;
        this.nodes = new SimulatedNodes(cluster.nodes(), settings.failures(), settings.seed());
        this.calendar = new Calendar(cluster);
        this.networks = new SharedNetworks(cluster.types());
        this.decayedUsages =
                new DecayedUsage(cluster.pastUsage(), settings.settings().fairShare());
        ClusterFeasibility fit = new ClusterFeasibility(nodes.nodes());
        Map<Boolean, List<TraceJob>> jobs = arrivingJobs.stream().collect(Collectors.partitioningBy(fit::holds));
        this.arrivingJobs = jobs.getOrDefault(true, List.of());
        this.flexible = cluster.types().size() > 1 || arrivingJobs.stream().anyMatch(ClusterFeasibility::isElastic);
        this.dependencies = new SimulatedDependencies(
                this.arrivingJobs.stream().map(TraceJob::id).collect(Collectors.toSet()));
        this.recorder = new OutcomeRecorder(
                cluster.slots(),
                jobs.getOrDefault(false, List.of()).stream().map(TraceJob::id).toList(),
                decayedUsages);
    }

    /** Begins at {@code time} with active jobs and the memory of the last round. It must precede all other calls. */
    void beginWith(List<ActiveJob> presentJobs, RoundMemory rememberedMemory, double time) {
        now = time;
        calendar.passUntil(time);
        decayedUsages.begin(time);
        memory = rememberedMemory;
        for (ActiveJob job : presentJobs) {
            active.put(job.id(), job);
            dependencies.addPresent(job);
            if (job.allocation() != null) {
                running++;
                scheduleEnd(job, time);
            }
        }
        networks.apply(active.values(), now, this::queueEnd);
        news = true;
    }

    /** Sets the listener to arrivals from now on. */
    void onArrival(Consumer<ActiveJob> listener) {
        onArrival = listener;
    }

    boolean isOver() {
        return arrived == arrivingJobs.size() && active.isEmpty() && !dependencies.isBlocking();
    }

    /** Returns true if an event has occurred since the last decision. */
    boolean hasChanges() {
        return news;
    }

    boolean hasJobs() {
        return !active.isEmpty();
    }

    boolean isRunning() {
        return running > 0;
    }

    int running() {
        return running;
    }

    /** Returns true if arrivals, repairs of nodes, or openings or closings of nodes are pending. */
    boolean expectsMore() {
        return arrived < arrivingJobs.size() || nodes.expectsRepairs() || Double.isFinite(calendar.next());
    }

    int endedJobs() {
        return recorder.endedJobs();
    }

    int jobs() {
        return arrivingJobs.size();
    }

    int slots() {
        return cluster.slots();
    }

    List<String> rejectedJobs() {
        return recorder.rejectedJobs();
    }

    List<AllocationInterval> allocationIntervals() {
        return recorder.allocationIntervals();
    }

    /**
     * Returns the outcomes of the jobs so far, by arrival. Jobs that are still active have no end; their allocations
     * end now.
     */
    List<JobOutcome> outcomes() {
        for (ActiveJob job : active.values()) {
            AllocationInterval interval = job.take(null, now);
            if (interval != null) {
                recorder.intervalEnded(job, interval);
            }
            recorder.recordUnfinished(job);
        }
        return recorder.outcomes();
    }

    /**
     * Returns the time of the next event; infinite if there is none. Events of nodes count only while jobs are active.
     */
    double nextEvent() {
        dropOldEnds();
        double arrival =
                arrived < arrivingJobs.size() ? arrivingJobs.get(arrived).arrival() : Double.POSITIVE_INFINITY;
        if (active.isEmpty()) {
            return arrival;
        }
        End end = ends.peek();
        Double release = releases.peek();
        double job = Math.min(
                end == null ? Double.POSITIVE_INFINITY : end.time(),
                release == null ? Double.POSITIVE_INFINITY : release);
        return Math.min(Math.min(arrival, job), ofNodes());
    }

    private double ofNodes() {
        return Math.min(nodes.nextEvent(), calendar.next());
    }

    /** Processes all events up to and including {@code time}. Returns true if a job arrived or ended. */
    boolean passUntil(double time) {
        boolean lived = false;
        while (true) {
            dropOldEnds();
            double next = Math.min(nextEvent(), ofNodes());
            if (next > time) {
                break;
            }
            now = next;
            lived |= processEvent();
        }
        now = time;
        return lived;
    }

    /** Processes one event of the current time. Returns true if a job arrived or ended. */
    private boolean processEvent() {
        End end = ends.peek();
        if (end != null && end.time() <= now) {
            ends.remove();
            finish(end.job());
            return true;
        }
        if (calendar.next() <= now) {
            calendar.passUntil(now);
            news = true;
            return false;
        }
        if (nodes.nextEvent() <= now) {
            failNode(nodes.processEvent());
            news = true;
            return false;
        }
        if (arrived < arrivingJobs.size() && arrivingJobs.get(arrived).arrival() <= now) {
            TraceJob job = arrivingJobs.get(arrived++);
            if (dependencies.admits(job)) {
                arrive(job);
            }
            return true;
        }
        releases.remove();
        news |= flexible || running < active.size();
        return false;
    }

    private void arrive(TraceJob job) {
        ActiveJob arrival = new ActiveJob(job, recorder.countArrival(now), familyHistory);
        active.put(job.id(), arrival);
        onArrival.accept(arrival);
        news = true;
    }

    /** Lets the jobs arrive that wait for no other one any more. */
    private void releaseDependents() {
        dependencies.release().forEach(job -> arrive(job.arrivingAt(now)));
    }

    private void finish(ActiveJob job) {
        double end = job.end();
        recorder.intervalEnded(job, job.finish());
        active.remove(job.id());
        running--;
        recorder.recordEnd(job, end);
        if (dependencies.end(job.id())) {
            releaseDependents();
        }
        networks.apply(active.values(), now, this::queueEnd);
        news = true;
    }

    private void failNode(@Nullable String node) {
        if (node == null) {
            return;
        }
        for (ActiveJob job : active.values()) {
            Allocation heldAllocation = job.allocation();
            if (heldAllocation != null && SimulatedNodes.isOn(heldAllocation, node)) {
                recorder.intervalEnded(job, job.fail(now, settings.checkpointSeconds()));
                running--;
            }
        }
        networks.apply(active.values(), now, this::queueEnd);
    }

    /** Returns the problem of a round at {@code time}, after all events up to that time. */
    RoundProblem problem(double time) {
        List<Job> jobs = new ArrayList<>(active.size());
        for (ActiveJob job : active.values()) {
            double endBefore = job.end();
            jobs.add(job.seenAt(time));
            if (job.end() != endBefore) {
                queueEnd(job);
            }
        }
        RoundProblem problem = calendar.apply(new RoundProblem(
                RoundProblem.FORMAT,
                time,
                settings.settings(),
                cluster.types(),
                cluster.pools(),
                nodes.nodes(),
                cluster.reservations().stream()
                        .filter(reservation -> reservation.job() == null || active.containsKey(reservation.job()))
                        .toList(),
                cluster.tenants(),
                cluster.groups(),
                jobs,
                memory));
        return decayedUsages.apply(problem, active.values());
    }

    /** Applies {@code decision} to every job. Returns the slots in use, rounded up where jobs take shares. */
    int apply(Decision decision, double time) {
        Map<String, Allocation> allocations = decision.allocations();
        Map<String, DeadlineStatus> deadlineStatuses = decision.deadlineStatuses();
        memory = decision.memory();
        news = false;
        double used = 0;
        running = 0;
        boolean released = false;
        for (ActiveJob job : active.values()) {
            Allocation nextAllocation = allocations.get(job.id());
            if (nextAllocation != null || job.allocation() != null) {
                give(job, nextAllocation, time);
            }
            if (nextAllocation != null) {
                running++;
                used += job.devices();
                released |= dependencies.start(job.id());
            }
            if (job.sourceJob().deadline() != null) {
                job.deadlineStatus(deadlineStatuses.getOrDefault(job.id(), DeadlineStatus.AT_RISK));
            }
        }
        if (released) {
            releaseDependents();
        }
        networks.apply(active.values(), time, this::queueEnd);
        return (int) Math.ceil(used - ROUNDING);
    }

    private void give(ActiveJob job, @Nullable Allocation nextAllocation, double time) {
        double endBefore = job.end();
        double heldSince = since(job);
        AllocationInterval interval = job.take(nextAllocation, time);
        if (interval != null) {
            recorder.intervalEnded(job, interval);
        }
        if (nextAllocation != null && (job.end() != endBefore || since(job) != heldSince)) {
            scheduleEnd(job, time);
        }
    }

    /** Schedules the end of a running job and the end of its protection from preemption. */
    private void scheduleEnd(ActiveJob job, double time) {
        queueEnd(job);
        if (job.protectedUntil() > time) {
            releases.add(job.protectedUntil());
        }
    }

    private void queueEnd(ActiveJob job) {
        if (Double.isFinite(job.end())) {
            ends.add(new End(job.end(), job));
        }
    }

    private static double since(ActiveJob job) {
        Allocation heldAllocation = job.allocation();
        return heldAllocation == null ? Double.NEGATIVE_INFINITY : heldAllocation.since();
    }

    /** Drops ends from the queue that a later decision has moved. */
    private void dropOldEnds() {
        for (End end = ends.peek(); end != null && end.job().end() != end.time(); end = ends.peek()) {
            ends.remove();
        }
    }
}
