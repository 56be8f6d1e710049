package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.NodeShare;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Executors that stall, die, come back and report late, under plans that change at random. */
class ChaosTest extends ExecutorsTest {
    private static final int OPERATIONS = 60;
    private static final int DEVICES = 3;

    private Random random;
    private int started;
    private int refused;
    private final List<Machine> machines = new ArrayList<>();
    private final List<String> jobs = new ArrayList<>();

    /** A node with the processes that really exist on it. */
    private final class Machine {
        private final FakeExecutor executor;
        private final Map<String, Set<String>> processes = new HashMap<>();
        private boolean lost;

        Machine(String node) {
            executor = new FakeExecutor(api, node, DEVICES);
            register();
        }

        void register() {
            executor.register(running()).is(200);
            lost = false;
        }

        private String[] running() {
            return processes.keySet().stream().map(id -> id + " RUNNING").toArray(String[]::new);
        }

        /** Starts only what the service allows, whatever it has said before; then the devices must be free. */
        void start(String id, JsonNode assignment) {
            if (executor.step(id, "STARTING").status() != 200) {
                refused++;
                return;
            }
            started++;
            Set<String> devices = new HashSet<>();
            assignment.path("devices").forEach(device -> devices.add(device.asString()));
            processes.forEach((other, held) ->
                    assertThat(held).as("%s while %s runs", id, other).doesNotContainAnyElementsOf(devices));
            String job = assignment.path("jobId").asString();
            for (Machine machine : machines) {
                if (!machine.lost) {
                    assertThat(machine.processes.keySet())
                            .as("generations of job %s", job)
                            .noneMatch(other -> other.startsWith(job) && !other.equals(id));
                }
            }
            processes.put(id, devices);
            executor.step(id, "RUNNING");
        }

        /** Does at most one step of each assignment, or none if it dawdles. */
        void act(double diligence) {
            if (lost) {
                comeBack();
                return;
            }
            Set<String> told = new HashSet<>();
            for (JsonNode assignment : executor.poll()) {
                String id = assignment.path("assignmentId").asString();
                told.add(id);
                if (random.nextDouble() < diligence) {
                    step(id, assignment);
                }
            }
            Set.copyOf(processes.keySet()).stream()
                    .filter(id -> !told.contains(id))
                    .forEach(this::stop);
        }

        private void comeBack() {
            if (random.nextInt(4) == 0) {
                register();
            }
        }

        private void step(String id, JsonNode assignment) {
            if (assignment.path("desired").asString().equals("STOP")) {
                stop(id);
            } else if (assignment.path("state").asString().equals("OFFERED")) {
                refused += executor.step(id, "ACCEPTED").status() == 200 ? 0 : 1;
            } else if (!processes.containsKey(id)) {
                start(id, assignment);
            }
        }

        private void stop(String id) {
            processes.remove(id);
            executor.release(id);
        }

        /** A process crashes, and the executor tells. */
        void crash() {
            if (!lost && !processes.isEmpty()) {
                String id = processes.keySet().iterator().next();
                processes.remove(id);
                executor.exit(id, 1);
            }
        }

        /** The executor is started anew; its processes have survived, or have not. */
        void restart() {
            if (random.nextBoolean()) {
                processes.clear();
            }
            register();
        }

        /** The executor is silent for too long. It has fenced itself, unless it was paused and could not. */
        void vanish() {
            silence(executor.node());
            lost = true;
            if (random.nextBoolean()) {
                processes.clear();
            }
        }

        /** What was said before comes again, late. */
        void reportLate() {
            jobs.forEach(job -> executor.stepNumbered(assignment(job), "RUNNING", "", 1 + random.nextInt(9)));
        }
    }

    private void replan() {
        Map<String, List<String>> free = new HashMap<>();
        machines.stream().filter(machine -> !machine.lost).forEach(machine -> {
            List<String> devices = new ArrayList<>(List.of("d0", "d1", "d2"));
            Collections.shuffle(devices, random);
            free.put(machine.executor.node(), devices);
        });
        world.sql("update job set retry_at = null");
        for (String job : jobs) {
            List<NodeShare> pieces = new ArrayList<>();
            for (List<String> devices : free.values()) {
                Collections.shuffle(devices, random);
            }
            free.forEach((node, devices) -> {
                if (!devices.isEmpty() && random.nextDouble() < 0.5) {
                    pieces.add(piece(node, devices.remove(0)));
                }
            });
            if (pieces.size() <= 2) {
                plan.put(job, pieces.toArray(NodeShare[]::new));
            } else {
                plan.put(job, pieces.get(0), pieces.get(1));
            }
        }
        place(jobs.get(0), plan.placeOf(jobs.get(0)));
    }

    private void disturb() {
        Machine machine = machines.get(random.nextInt(machines.size()));
        switch (random.nextInt(24)) {
            case 0 -> machine.crash();
            case 1 -> machine.restart();
            case 2 -> machine.vanish();
            case 3 -> machine.reportLate();
            case 4, 5, 6 -> replan();
            case 7 -> steward.step();
            default -> machines.forEach(each -> each.act(0.8));
        }
    }

    private void demandThatNoDeviceRunsTwice() {
        assertThat(world.value(Long.class, """
                        select count(*) from assignment a join assignment b
                        on a.node = b.node and a.devices && b.devices and (a.job_id, a.generation) < (b.job_id, b.generation)
                        where a.state in ('STARTING', 'RUNNING') and b.state in ('STARTING', 'RUNNING')
                        """)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void noDeviceRunsInTwoGenerationsAndInTheEndEverythingRunsThatShould(long seed) {
        random = new Random(seed);
        world.sql("delete from executor");
        world.sql("update node set state = 'LOST'");
        for (String node : List.of("m1", "m2", "m3")) {
            machines.add(new Machine(node));
        }
        for (int j = 0; j < 4; j++) {
            jobs.add(submit(1));
        }
        world.sql("update job set command = jsonb_set(command, '{maxRestarts}', '1000')");

        for (int operation = 0; operation < OPERATIONS; operation++) {
            disturb();
            demandThatNoDeviceRunsTwice();
        }

        System.out.printf("chaos: %d starts, %d steps that were too early%n", started, refused);
        assertThat(started).as("starts that were guarded").isGreaterThan(5);
        assertThat(refused).as("steps that were too early").isPositive();
        machines.stream().filter(machine -> machine.lost).forEach(Machine::register);
        replan();
        for (int turn = 0; turn < 8; turn++) {
            machines.forEach(machine -> machine.act(1));
        }
        demandThatNoDeviceRunsTwice();
        for (String job : jobs) {
            NodeShare[] pieces = plan.placeOf(job);
            long runs = machines.stream()
                    .filter(machine -> machine.processes.containsKey(assignment(job)))
                    .count();
            assertThat(runs).as("members of %s that run, seed %d", job, seed).isEqualTo(pieces.length);
        }
    }
}
