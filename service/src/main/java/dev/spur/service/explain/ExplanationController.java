package dev.spur.service.explain;

import dev.spur.model.round.Deferral;
import dev.spur.model.round.SolveFigures;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.estimate.EstimateFeed;
import dev.spur.service.explain.Explanation.Estimate;
import dev.spur.service.explain.Explanation.Unblocking;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanEntry;
import dev.spur.service.plan.PlanFeed;
import dev.spur.service.store.RoundRecord;
import dev.spur.service.store.RoundStore;
import dev.spur.service.store.WaitingJob;
import dev.spur.service.store.WaitingJobs;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** Why a job waits or runs as it does. */
@RestController
class ExplanationController {
    private final WaitingJobs jobs;
    private final PlanFeed feed;
    private final RoundStore rounds;
    private final Unblocker unblocker;
    private final Solves solves;
    private final EstimateFeed expected;

    ExplanationController(
            WaitingJobs jobs,
            PlanFeed feed,
            RoundStore rounds,
            Unblocker unblocker,
            Solves solves,
            EstimateFeed expected) {
        this.expected = expected;
        this.jobs = jobs;
        this.feed = feed;
        this.rounds = rounds;
        this.unblocker = unblocker;
        this.solves = solves;
    }

    @GetMapping("/api/v1/jobs/{id}/explanation")
    DeferredResult<Explanation> explain(ContractRequest request) {
        String id = request.text("id");
        WaitingJob job = jobs.find(id).orElseThrow(() -> ProblemException.notFound("job", id));
        Explanation explanation = explain(job, feed.current());
        if (!request.flag("unblock") || explanation.waiting() == null) {
            return ready(explanation);
        }
        long revision = explanation.revision();
        Optional<Unblocking> known = unblocker.known(revision, id, job.held());
        return known.map(found -> ready(explanation.with(found)))
                .orElseGet(() -> solves.answer(() -> explanation.with(unblocker.search(revision, id, job.held()))));
    }

    private Explanation explain(WaitingJob job, Optional<PlanDocument> plan) {
        boolean waits = job.state().equals("SUBMITTED") || job.state().equals("WAITING");
        boolean ended = !waits && !job.state().equals("RUNNING") && !job.state().equals("COMPLETING");
        PlanEntry running = waits || ended
                ? null
                : plan.flatMap(current -> current.entry(job.id())).orElse(null);
        Deferral waiting = waits ? Why.waits(job, plan, 0) : null;
        return new Explanation(
                job.id(),
                job.state(),
                plan.map(PlanDocument::revision).orElse(0L),
                sentence(job, running, waiting),
                running,
                waiting,
                null,
                waiting == null ? List.of() : estimates(waiting, plan),
                ended
                        ? null
                        : expected.current().of(job.id(), waits, job.held()).orElse(null));
    }

    private static String sentence(WaitingJob job, @Nullable PlanEntry running, @Nullable Deferral waiting) {
        if (waiting != null) {
            return waiting.sentence();
        }
        if (running != null) {
            return running.sentence();
        }
        return "The job is %s.".formatted(job.state().toLowerCase(Locale.ROOT));
    }

    private List<Estimate> estimates(Deferral waiting, Optional<PlanDocument> plan) {
        String resource = waiting.resource();
        if (resource == null || plan.isEmpty()) {
            return List.of();
        }
        SolveFigures figures =
                rounds.find(plan.get().round()).map(RoundRecord::figures).orElse(null);
        Double price = figures == null ? null : figures.prices().get(resource);
        if (price == null) {
            return List.of();
        }
        String sentence = "One more unit of %s would be worth about %.4g to the plan, by the prices of a relaxation."
                .formatted(resource, price);
        return List.of(new Estimate(resource, price, sentence));
    }

    private static DeferredResult<Explanation> ready(Explanation explanation) {
        DeferredResult<Explanation> result = new DeferredResult<>();
        result.setResult(explanation);
        return result;
    }
}
