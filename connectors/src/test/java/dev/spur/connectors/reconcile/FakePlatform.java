package dev.spur.connectors.reconcile;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.HostResources;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.Step;
import dev.spur.connectors.StepOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A platform in memory. Like the real ones it does what it was asked a moment later, starts what waits when there is
 * room, and counts how often each job has started. Every change passes {@link #beforeChange}.
 */
class FakePlatform implements Platform, PlatformFixture {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Map<String, FakeJob> jobs = new LinkedHashMap<>();
    private final List<String> nodes;
    private final int slots;
    private Instant now = Instant.parse("2026-11-22T10:00:00Z");
    /** Runs before each single change; may throw. */
    Runnable beforeChange = () -> {};
    /** True if it answers that all is well, and does nothing. */
    boolean lies;
    /** True if it allows nothing. */
    boolean refuses;
    /** True if it knows no rights yet. */
    boolean denies;
    /** True if nothing starts, for a cause of its own. */
    boolean full;
    /** Within which time jobs start; empty if they may wait in a queue. */
    Optional<Duration> startTimeout = Optional.empty();

    FakePlatform(int count, int slots) {
        this.slots = slots;
        List<String> names = new ArrayList<>();
        for (int n = 1; n <= count; n++) {
            names.add("gpu" + n);
        }
        this.nodes = names;
    }

    static final class FakeJob {
        State state;
        Size requested;
        JobPlacement pinned = JobPlacement.NONE;
        JobPlacement held = JobPlacement.NONE;
        Optional<LastAppliedState> mark = Optional.empty();
        long priority;
        int starts;
        int marks;
        final JobAnnotation words;

        FakeJob(State state, Size requested, JobAnnotation words, long priority) {
            this.state = state;
            this.requested = requested;
            this.words = words;
            this.priority = priority;
        }
    }

    @Override
    public Platform platform() {
        return this;
    }

    @Override
    public Clock clock() {
        return Clock.fixed(now, ZoneOffset.UTC);
    }

    @Override
    public String submit(int count, int slotsOnEach, boolean held, String words) {
        String id = Integer.toString(jobs.size() + 1);
        State state = held ? State.HELD : State.WAITING;
        jobs.put(
                id,
                new FakeJob(
                        state,
                        new Size(count * slotsOnEach, count),
                        JobAnnotation.read(words, Set.of(JobAnnotation.HOST_LEVELS)),
                        1000 - jobs.size()));
        return id;
    }

    FakeJob job(String id) {
        return Objects.requireNonNull(jobs.get(id));
    }

    /** The job ends by itself. */
    void end(String id) {
        FakeJob job = job(id);
        job.state = State.DONE;
        job.held = JobPlacement.NONE;
    }

    @Override
    public String batch(String job) {
        return Objects.toString(job(job).held.batch(), "");
    }

    @Override
    public @Nullable HostResources host(String job, int slots) {
        return job(job).held.host();
    }

    @Override
    public void release(String id) {
        job(id).state = State.WAITING;
    }

    @Override
    public void hold(String id) {
        job(id).state = State.HELD;
    }

    @Override
    public void pass() {
        now = now.plusSeconds(1);
        for (FakeJob job : jobs.values()) {
            if (job.state == State.STOPPING) {
                job.state = State.HELD;
                job.held = JobPlacement.NONE;
            }
        }
        jobs.values().stream()
                .filter(job -> job.state == State.WAITING)
                .sorted((a, b) -> Long.compare(b.priority, a.priority))
                .forEach(this::startIfThereIsRoom);
    }

    private void startIfThereIsRoom(FakeJob job) {
        JobPlacement there = job.pinned.isNowhere() ? anywhere(job.requested) : job.pinned;
        boolean fits =
                there.slots().entrySet().stream().allMatch(piece -> used(piece.getKey()) + piece.getValue() <= slots);
        if (fits && !full && !there.isNowhere()) {
            job.held = there;
            job.state = State.RUNNING;
            job.starts++;
        }
    }

    private JobPlacement anywhere(Size requested) {
        int each = requested.slots() / requested.nodes();
        Map<String, Integer> found = new TreeMap<>();
        for (String node : nodes) {
            if (found.size() < requested.nodes() && used(node) + each <= slots) {
                found.put(node, each);
            }
        }
        return found.size() == requested.nodes() ? JobPlacement.of(found) : JobPlacement.NONE;
    }

    int used(String node) {
        return jobs.values().stream().mapToInt(job -> job.held.on(node)).sum();
    }

    @Override
    public Optional<Duration> startTimeout() {
        return startTimeout;
    }

    @Override
    public Optional<String> obstacle(PlatformJob job) {
        return full ? Optional.of("there is no room") : Optional.empty();
    }

    @Override
    public ControlLevel maxControlLevel() {
        return ControlLevel.RESIZE;
    }

    @Override
    public List<PlatformNode> inventory() {
        List<PlatformNode> seen = new ArrayList<>();
        for (String name : nodes) {
            seen.add(new PlatformNode(
                    name, "gpu", "h200", slots, used(name), 16, 64, PlatformNode.Condition.OPEN, List.of()));
        }
        seen.add(new PlatformNode("cpu1", "cpu", null, 0, 0, 16, 64, PlatformNode.Condition.OPEN, List.of()));
        return seen;
    }

    @Override
    public List<PlatformJob> workload() {
        List<PlatformJob> seen = new ArrayList<>();
        jobs.forEach((id, job) -> seen.add(new PlatformJob(
                id,
                "job",
                "ann",
                "gpu",
                job.state,
                job.requested,
                1,
                job.pinned,
                job.held,
                job.priority,
                now,
                Optional.empty(),
                job.words,
                job.mark,
                Optional.empty())));
        return seen;
    }

    @Override
    public StepOutcome apply(JobAction action, PlatformJob seen) {
        if (denies) {
            return new StepOutcome.Denied("not known yet");
        }
        if (refuses) {
            return new StepOutcome.Rejected("not allowed");
        }
        FakeJob job = job(action.job());
        return switch (action.kind()) {
            case CANCEL -> {
                change(() -> {
                    job.state = State.CANCELLED;
                    job.held = JobPlacement.NONE;
                });
                yield new StepOutcome.Accepted(Step.ENDING, TIMEOUT, "called off");
            }
            case ORDER -> {
                change(() -> job.priority = action.priority());
                yield new StepOutcome.Accepted(Step.ORDERING, TIMEOUT, "ordered");
            }
            case HOLD, STOP -> hold(action, job);
            case SHRINK, MOVE, GROW, START -> run(action, job);
        };
    }

    private StepOutcome hold(JobAction action, FakeJob job) {
        mark(action, job, JobPlacement.NONE);
        if (job.state == State.RUNNING) {
            change(() -> job.state = State.STOPPING);
        } else if (job.state == State.WAITING) {
            change(() -> job.state = State.HELD);
        }
        return new StepOutcome.Accepted(Step.HOLDING, TIMEOUT, "held");
    }

    private StepOutcome run(JobAction action, FakeJob job) {
        if (job.state == State.RUNNING && job.held.equals(action.placement())) {
            mark(action, job, action.placement());
        } else if (job.state == State.HELD) {
            mark(action, job, action.placement());
            change(() -> {
                job.pinned = action.placement();
                job.requested = new Size(
                        action.placement().total(), action.placement().slots().size());
            });
            change(() -> job.state = State.WAITING);
        } else {
            return hold(action, job);
        }
        return new StepOutcome.Accepted(Step.STARTING, TIMEOUT, "released");
    }

    private void mark(JobAction action, FakeJob job, JobPlacement there) {
        LastAppliedState mark = new LastAppliedState(action.revision(), there, now);
        if (job.mark
                .filter(known ->
                        known.revision() == mark.revision() && known.placement().equals(there))
                .isEmpty()) {
            change(() -> job.mark = Optional.of(mark));
        }
    }

    private void change(Runnable what) {
        beforeChange.run();
        if (!lies) {
            what.run();
        }
    }

    @Override
    public void close() {}
}
