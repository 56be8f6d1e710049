package dev.spur.service.rounds;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.database.DaemonThreads;
import dev.spur.service.plans.RoundFailure;
import dev.spur.solver.policy.Policy;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Calls a policy on its own thread. A policy that throws, hangs or ignores its budget fails the round but not the loop.
 * While an aborted call still runs, no other is started, so that solves do not accumulate.
 */
final class TimeboxedPolicyCall {
    private final Policy policy;
    private final double graceSeconds;
    /** The last call unless it has returned; its thread may live slightly longer. */
    private volatile @Nullable Thread running;

    TimeboxedPolicyCall(Policy policy, double graceSeconds) {
        this.policy = policy;
        this.graceSeconds = graceSeconds;
    }

    /**
     * The plan of the policy.
     *
     * @throws RoundFailure if there is none in time
     */
    RoundPlan plan(RoundProblem problem) throws InterruptedException {
        Thread before = running;
        if (before != null && before.isAlive()) {
            throw new RoundFailure("an aborted solve is still running");
        }
        Map<String, String> context = MDC.getCopyOfContextMap();
        FutureTask<RoundPlan> task = new FutureTask<>(() -> {
            if (context != null) {
                MDC.setContextMap(context);
            }
            return policy.plan(problem);
        });
        Thread thread = DaemonThreads.thread("spur-solve", task);
        running = thread;
        thread.start();
        return await(task, problem.settings().budget().wallSeconds() + graceSeconds);
    }

    private RoundPlan await(FutureTask<RoundPlan> task, double seconds) throws InterruptedException {
        try {
            RoundPlan plan = task.get((long) (seconds * 1e9), TimeUnit.NANOSECONDS);
            running = null;
            return plan;
        } catch (ExecutionException failed) {
            running = null;
            throw new RoundFailure("policy %s failed: %s".formatted(policy.name(), failed.getCause()), failed);
        } catch (TimeoutException late) {
            throw new RoundFailure("policy %s returned no plan within %.0f s".formatted(policy.name(), seconds), late);
        } finally {
            task.cancel(true);
        }
    }
}
