package dev.spur.connectors.engine;

import dev.spur.connectors.Action;
import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.Pinning;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One look after the other, it brings a platform to what a plan wants. It keeps nothing itself: an engine that is made anew over
 * the same log and platform goes on where another one stopped, wherever that was.
 */
public final class Engine {
    private final Platform platform;
    private final ActionLog log;
    private final Limits limits;
    private final Custody custody;
    private final Attempts attempts;

    public Engine(Platform platform, ActionLog log, Limits limits, Clock clock) {
        this.platform = platform;
        this.log = log;
        this.limits = limits;
        this.custody = new Custody(log);
        this.attempts = new Attempts(platform, log, limits, clock);
    }

    /**
     * Looks at the platform.
     *
     * @throws IOException if it does not answer
     */
    public Observation look() throws IOException, InterruptedException {
        return Observation.of(platform.inventory(), platform.workload());
    }

    /** Jobs that persons have taken over, by id, and what was seen. */
    public Map<String, String> manuallyOverridden(Observation seen) {
        return custody.manuallyOverridden(Grain.of(platform.pinning(), seen));
    }

    /**
     * Compares what was just seen with what is wanted, moves on what was begun, and begins what may begin now.
     *
     * @return what was to be done, and what was
     */
    public Report carryOut(Observation looked, Desired plan) throws InterruptedException {
        Observation seen = Grain.of(platform.pinning(), looked);
        Desired desired = Grain.of(platform.pinning(), plan, looked);
        ControlLevel allowed = log.standing().controlLevel();
        ControlLevel most = least(platform.most().includes(allowed) ? allowed : platform.most());
        Map<String, String> released = custody.manuallyOverridden(seen);
        List<Action> wanted =
                Differ.differences(desired, seen, most == ControlLevel.OBSERVE ? platform.most() : most).stream()
                        .filter(action -> !released.containsKey(action.job()))
                        .toList();
        List<String> failures = new ArrayList<>();
        if (most == ControlLevel.OBSERVE) {
            return new Report(wanted, List.of(), wanted, released, failures);
        }
        List<Entry> open = attempts.settle(seen, desired);
        Room room = room(looked, plan, most);
        open.forEach(entry -> seen.job(entry.action().job())
                .filter(job -> entry.action().kind().runs())
                .ifPresent(job -> room.promise(entry.action(), job)));
        for (Entry entry : open) {
            seen.job(entry.action().job()).ifPresent(job -> attempts.moveOn(entry, job, failures));
        }
        List<Action> begun = new ArrayList<>();
        begin(fresh(wanted, desired, open, most, seen), seen, room, open, begun, failures);
        attempts.uphold(
                looked.jobs().values().stream()
                        .filter(job -> job.isOffered() && !released.containsKey(job.id()))
                        .toList(),
                failures);
        List<Action> blocked = wanted.stream()
                .filter(action -> !begun.contains(action) && !isOpen(action, open))
                .toList();
        return new Report(wanted, begun, blocked, released, failures);
    }

    private Room room(Observation looked, Desired plan, ControlLevel most) {
        return platform.pinning() == Pinning.NODES
                ? new NodeRoom(looked)
                : new PoolRoom(
                        looked,
                        plan,
                        stop -> most == ControlLevel.RESIZE
                                && log.find(stop.id()).isEmpty());
    }

    private ControlLevel least(ControlLevel controlLevel) {
        return controlLevel == ControlLevel.PRIORITIZE && !platform.hasQueue() ? ControlLevel.OBSERVE : controlLevel;
    }

    /** What is not begun yet and may be: allowed by the control level, missing nothing, and neither refused nor given up for this plan. */
    private List<Action> fresh(
            List<Action> wanted, Desired desired, List<Entry> open, ControlLevel most, Observation seen) {
        return wanted.stream()
                .filter(action -> most.includes(action.kind().least()))
                .filter(action -> !action.kind().runs() || !desired.notYet().contains(action.job()))
                .filter(action -> most == ControlLevel.RESIZE || keepsItsSize(action, seen))
                .filter(action -> !isOpen(action, open))
                .filter(action -> log.find(action.id())
                        .map(entry -> entry.state() != Entry.State.REFUSED && entry.state() != Entry.State.FAILED)
                        .orElse(true))
                .toList();
    }

    private static boolean isOpen(Action action, List<Entry> open) {
        return open.stream().anyMatch(entry -> entry.action().job().equals(action.job()));
    }

    private static boolean keepsItsSize(Action action, Observation seen) {
        PlatformJob.Size asked = seen.of(action).asked();
        return action.placement().isNowhere() || action.placement().total() == asked.slots();
    }

    private void begin(
            List<Action> fresh,
            Observation seen,
            Room room,
            List<Entry> open,
            List<Action> begun,
            List<String> failures) {
        List<Action> blocked = new ArrayList<>();
        long interrupted = open.stream()
                .filter(entry -> entry.action().kind().interrupts())
                .count();
        for (Action action : room.inOrder(fresh)) {
            PlatformJob job = seen.of(action);
            boolean interrupts = action.kind().interrupts() && job.state() == State.RUNNING;
            boolean fits = !action.kind().runs() || room.has(action, job);
            if (!fits || (interrupts && interrupted >= limits.maxConcurrentRestarts())) {
                blocked.add(action);
                continue;
            }
            if (action.kind().runs()) {
                room.promise(action, job);
            }
            interrupted += interrupts ? 1 : 0;
            attempts.begin(action, job, failures);
            begun.add(action);
        }
        if (begun.isEmpty() && open.isEmpty()) {
            room.makeWay(blocked, seen).ifPresent(stop -> {
                attempts.begin(stop, seen.of(stop), failures);
                begun.add(stop);
            });
        }
    }
}
