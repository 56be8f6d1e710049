package dev.spur.service.questions;

import dev.spur.service.questions.Explanation.ExplanationView;
import dev.spur.service.questions.Explanation.Unblocking;
import dev.spur.service.questions.WaitingJobs.WaitingJob;
import dev.spur.service.web.contract.ProblemException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** Returns why a job waits, or why it runs in its allocation. */
@RestController
class ExplanationController {
    private final WaitingJobs jobs;
    private final JobExplainer explainer;
    private final CounterfactualService unblocker;
    private final OnDemandSolver solves;

    ExplanationController(
            WaitingJobs jobs, JobExplainer explainer, CounterfactualService unblocker, OnDemandSolver solves) {
        this.jobs = jobs;
        this.explainer = explainer;
        this.unblocker = unblocker;
        this.solves = solves;
    }

    @GetMapping("/api/v1/jobs/{id}/explanation")
    DeferredResult<ExplanationView> explain(
            @PathVariable String id, @RequestParam(defaultValue = "false") boolean unblock) {
        WaitingJob job = jobs.find(id).orElseThrow(() -> ProblemException.notFound("job", id));
        Explanation explanation = explainer.explain(job);
        if (!unblock || explanation.waiting() == null) {
            return ready(explanation, null);
        }
        long revision = explanation.revision();
        Optional<Unblocking> known = unblocker.findCached(revision, id, job.heldBack());
        return known.map(found -> ready(explanation, found))
                .orElseGet(() -> solves.solve(() -> new ExplanationView(explanation, unblocker.search(revision, job))));
    }

    private static DeferredResult<ExplanationView> ready(Explanation explanation, @Nullable Unblocking unblock) {
        DeferredResult<ExplanationView> result = new DeferredResult<>();
        result.setResult(new ExplanationView(explanation, unblock));
        return result;
    }
}
