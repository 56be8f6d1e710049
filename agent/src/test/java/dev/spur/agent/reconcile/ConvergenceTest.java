package dev.spur.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.AssignmentPhase;
import dev.spur.agent.reconcile.LocalRun.Phase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node that is played: plans come and go at random, programs end or crash when they like, runs are lost, answers of
 * the service get lost. Whatever happened before, once the plan stays the node comes to rest with just what the plan
 * wants, and at no time do two runs hold a device.
 */
class ConvergenceTest {
    private static final int DEVICES = 4;
    private static final int JOBS = 3;
    private static final int WILD_STEPS = 400;
    private static final int CALM_STEPS = 60;

    private final Map<String, Assignment> listed = new TreeMap<>();
    private final Map<String, LocalRun> runs = new TreeMap<>();
    private final long[] generations = new long[JOBS];

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void aPlanThatStaysIsReachedAndNoDeviceIsHeldTwice(long seed) {
        var random = new Random(seed);
        for (int step = 0; step < WILD_STEPS; step++) {
            if (random.nextInt(10) == 0) {
                changeThePlan(random);
            }
            disturb(random);
            act(random, 0.3);
        }
        for (int step = 0; step < CALM_STEPS; step++) {
            act(random, 0);
            endWhatWasToldTo(random, 1);
        }

        assertThat(Reconciler.diff(List.copyOf(listed.values()), observed(), true))
                .as("seed %d", seed)
                .isEmpty();
        List<String> expected = listed.values().stream()
                .filter(order -> !order.state().isFinal())
                .map(Assignment::assignmentId)
                .toList();
        assertThat(runs.values().stream()
                        .filter(run -> run.phase() == Phase.RUNNING)
                        .map(LocalRun::id))
                .as("seed %d", seed)
                .containsExactlyElementsOf(expected);
    }

    /** As the service does: a new generation for each change, older ones to be stopped, devices given to one job. */
    private void changeThePlan(Random random) {
        List<Integer> free = new ArrayList<>();
        for (int device = 0; device < DEVICES; device++) {
            free.add(device);
        }
        for (int job = 0; job < JOBS; job++) {
            int slots = Math.min(free.size(), random.nextInt(3));
            supersede(job);
            if (slots > 0) {
                List<String> devices = new ArrayList<>();
                for (int slot = 0; slot < slots; slot++) {
                    devices.add("d/" + free.remove(random.nextInt(free.size())));
                }
                generations[job]++;
                put(order(job, Assignment.Desired.RUN, AssignmentPhase.OFFERED, devices));
            }
        }
    }

    private void supersede(int job) {
        for (Assignment old : List.copyOf(listed.values())) {
            if (!old.jobId().equals("job" + job)) {
                continue;
            }
            if (old.state().isHolding()) {
                put(old.with(old.state(), Assignment.Desired.STOP, old.seq()));
            } else {
                listed.remove(old.assignmentId());
            }
        }
    }

    private Assignment order(int job, Assignment.Desired desired, AssignmentPhase state, List<String> devices) {
        return TestAssignments.order("job" + job, generations[job], desired, true, state, devices);
    }

    private void put(Assignment assignment) {
        listed.put(assignment.assignmentId(), assignment);
    }

    private void disturb(Random random) {
        endWhatWasToldTo(random, 0.3);
        for (LocalRun run : List.copyOf(runs.values())) {
            if (run.phase() == Phase.RUNNING && random.nextInt(50) == 0) {
                become(run, Phase.ENDED, OptionalInt.of(random.nextInt(2)), false);
            } else if (random.nextInt(200) == 0) {
                runs.remove(run.id());
            }
        }
    }

    private void endWhatWasToldTo(Random random, double share) {
        for (LocalRun run : List.copyOf(runs.values())) {
            if (run.phase() == Phase.STOPPING && random.nextDouble() < share) {
                become(run, Phase.ENDED, OptionalInt.of(0), true);
            }
        }
    }

    private void become(LocalRun run, Phase phase, OptionalInt code, boolean requested) {
        runs.put(run.id(), new LocalRun(run.id(), run.devices(), phase, code, requested, run.graceSeconds()));
    }

    /** Carries out what is to be done; tells that get lost are not taken in by the service. */
    private void act(Random random, double loss) {
        for (ReconcileAction action : Reconciler.diff(List.copyOf(listed.values()), observed(), true)) {
            if (action instanceof ReconcileAction.Stop stop) {
                become(runs.get(stop.run()), Phase.STOPPING, OptionalInt.empty(), true);
            } else if (action instanceof ReconcileAction.Discard forget) {
                runs.remove(forget.run());
            } else if (random.nextDouble() < loss) {
                continue;
            } else if (action instanceof ReconcileAction.Start start) {
                start(start.assignment());
            } else if (action instanceof ReconcileAction.ReportState tell) {
                listen(tell);
            }
            assertThatNoDeviceIsHeldTwice();
        }
    }

    private void start(Assignment assignment) {
        if (listed.containsKey(assignment.assignmentId())) {
            put(assignment.with(AssignmentPhase.STARTING, assignment.desired(), 0));
            runs.put(
                    assignment.assignmentId(),
                    new LocalRun(
                            assignment.assignmentId(),
                            assignment.devices(),
                            Phase.RUNNING,
                            OptionalInt.empty(),
                            false,
                            5));
        }
    }

    private void listen(ReconcileAction.ReportState tell) {
        Assignment known = listed.get(tell.assignment().assignmentId());
        if (tell.state().isFinal() && known.desired() == Assignment.Desired.STOP) {
            listed.remove(known.assignmentId());
        } else {
            put(known.with(tell.state(), known.desired(), 0));
        }
    }

    private void assertThatNoDeviceIsHeldTwice() {
        Set<String> held = new HashSet<>();
        for (LocalRun run : runs.values()) {
            if (run.phase() != Phase.ENDED) {
                assertThat(run.devices()).allMatch(held::add);
            }
        }
    }

    private List<LocalRun> observed() {
        return List.copyOf(runs.values());
    }
}
