package dev.spur.service.questions;

import dev.spur.model.Seconds;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.model.validation.Violation;
import dev.spur.service.database.DaemonThreads;
import dev.spur.service.jobs.lifecycle.NodeRequirementLimit;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.async.DeferredResult;

/**
 * Solves on request, with limited concurrency and outside of the threads of the web server. Requests beyond the queue
 * limit are rejected.
 */
@Component
class OnDemandSolver implements DisposableBean {
    private static final String RETRY_SECONDS = "5";

    private final Policy policy;
    private final SolveProperties properties;
    private final ThreadPoolExecutor threads;

    OnDemandSolver(Policy policy, SolveProperties properties) {
        this.policy = policy;
        this.properties = properties;
        this.threads = new ThreadPoolExecutor(
                properties.concurrency(),
                properties.concurrency(),
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(properties.queue()),
                DaemonThreads.withName("spur-question"));
    }

    /**
     * Runs {@code question}, which requires solves, and returns its result asynchronously.
     *
     * @throws ProblemException 429 if the queue is full
     */
    public <T> DeferredResult<T> solve(Callable<T> question) {
        DeferredResult<T> answer = new DeferredResult<>(longestMillis());
        answer.onTimeout(() ->
                answer.setErrorResult(ProblemException.of(ProblemType.UNAVAILABLE, "The solve exceeds its time limit.")
                        .withHeader("Retry-After", RETRY_SECONDS)));
        try {
            threads.execute(() -> answerWith(question, answer));
        } catch (RejectedExecutionException full) {
            throw ProblemException.of(
                            ProblemType.TOO_MANY_REQUESTS,
                            "The limits of running solves (%d) and of waiting ones (%d) are reached."
                                    .formatted(properties.concurrency(), properties.queue()))
                    .withHeader("Retry-After", RETRY_SECONDS);
        }
        return answer;
    }

    /** The policy that scheduling rounds use. */
    Policy policy() {
        return policy;
    }

    /** A plan for {@code problem} within the limits of a caller. The plan validator has accepted it. */
    RoundPlan plan(RoundProblem problem) {
        RoundProblem capped = capBudget(problem);
        RoundPlan plan = policy.plan(capped);
        List<Violation> violations = PlanCheck.violations(capped, plan);
        if (!violations.isEmpty()) {
            throw new IllegalStateException("the plan validator rejected a plan: " + violations);
        }
        return plan;
    }

    /**
     * Requires a valid problem with few different requirements on nodes.
     *
     * @throws ProblemException 422 with all violations
     */
    static void require(RoundProblem problem) {
        List<Violation> violations = new ArrayList<>(ProblemCheck.violations(problem));
        violations.addAll(NodeRequirementLimit.violations(problem));
        refuse(violations);
    }

    /**
     * Rejects a request with violations.
     *
     * @throws ProblemException 422 with all of {@code violations}, if there are any
     */
    static void refuse(List<Violation> violations) {
        if (!violations.isEmpty()) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE,
                    violations.stream()
                            .map(v -> FieldError.at(v.subject(), v.message()))
                            .toList());
        }
    }

    private RoundProblem capBudget(RoundProblem problem) {
        SolveBudget requested = problem.settings().budget();
        SolveBudget given = new SolveBudget(
                Math.min(requested.work(), properties.maxWork()),
                Math.min(requested.wallSeconds(), Seconds.of(properties.maxWallTime())),
                Math.min(requested.workers(), properties.maxWorkers()),
                requested.seed());
        return problem.withSettings(
                problem.settings().withEffort(problem.settings().gapTarget(), given));
    }

    /** Timeout of a request: the time of all requests ahead of it in the queue, and twice its own. */
    private long longestMillis() {
        double rounds = 2.0 + (double) properties.queue() / properties.concurrency();
        return (long) (rounds
                * Math.max(
                        properties.maxWallTime().toMillis(),
                        properties.maxUnblockTime().toMillis()));
    }

    private static <T> void answerWith(Callable<T> question, DeferredResult<T> answer) {
        if (answer.isSetOrExpired()) {
            return;
        }
        try {
            answer.setResult(question.call());
        } catch (Exception failure) {
            answer.setErrorResult(failure);
        }
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
