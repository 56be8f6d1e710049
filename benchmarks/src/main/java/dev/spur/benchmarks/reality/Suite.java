package dev.spur.benchmarks.reality;

import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.Replayer;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs scenarios under policies, several replays at a time. */
final class Suite {
    private Suite() {}

    /**
     * Returns an outcome for each scenario and policy, by scenario, then by policy, in the order of the lists.
     *
     * @param policies names of policies of the registry
     * @param workers replays at a time, at least 1
     * @param onOutcome receives each outcome when its replay has ended, from several threads
     */
    static List<Outcome> run(List<Scenario> scenarios, List<String> policies, int workers, Consumer<Outcome> onOutcome)
            throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(workers);
        try {
            List<Future<Outcome>> tasks = new ArrayList<>();
            for (Scenario scenario : scenarios) {
                for (String policy : policies) {
                    tasks.add(pool.submit(() -> {
                        Outcome outcome = replay(scenario, policy);
                        onOutcome.accept(outcome);
                        return outcome;
                    }));
                }
            }
            List<Outcome> outcomes = new ArrayList<>();
            for (Future<Outcome> task : tasks) {
                outcomes.add(task.get());
            }
            return outcomes;
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private static Outcome replay(Scenario scenario, String name) {
        Policy policy = PolicyRegistry.policy(name).orElseThrow();
        long before = System.nanoTime();
        try {
            Replay replay = Replayer.replay(
                    scenario.trace(), scenario.cluster(), policy, scenario.settings(), ProgressListener.NONE);
            return Outcome.of(scenario, replay, (System.nanoTime() - before) / 1e9);
        } catch (RuntimeException failure) {
            throw new IllegalStateException("The replay of %s under %s failed".formatted(scenario.id(), name), failure);
        }
    }
}
