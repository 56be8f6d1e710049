package dev.spur.service.explain;

import dev.spur.model.round.PendingPreparation;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.dataprep.PreparationState;
import dev.spur.service.dataprep.PreparationStore;
import dev.spur.service.dataprep.StoredPreparation;
import dev.spur.service.eta.EtaFeed;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanFeed;
import dev.spur.service.plan.PlannedPreparations;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** Explains why a preparation waits, or why it runs in its allocation. */
@RestController
class PreparationExplanationController {
    private final PreparationStore preparations;
    private final PlanFeed feed;
    private final EtaFeed estimates;
    private final CounterfactualService unblocker;
    private final OnDemandSolver solves;

    PreparationExplanationController(
            PreparationStore preparations,
            PlanFeed feed,
            EtaFeed estimates,
            CounterfactualService unblocker,
            OnDemandSolver solves) {
        this.preparations = preparations;
        this.feed = feed;
        this.estimates = estimates;
        this.unblocker = unblocker;
        this.solves = solves;
    }

    @GetMapping("/api/v1/preparations/{id}/explanation")
    DeferredResult<PreparationExplanation> explain(
            @PathVariable String id, @RequestParam(defaultValue = "false") boolean unblock) {
        StoredPreparation stored =
                preparations.find(id).orElseThrow(() -> ProblemException.notFound("preparation", id));
        PreparationExplanation explanation = explain(stored, feed.current());
        if (unblock && explanation.waiting() != null) {
            return solves.answer(() -> explanation.with(unblocker.searchPreparation(explanation.revision(), stored)));
        }
        DeferredResult<PreparationExplanation> ready = new DeferredResult<>();
        ready.setResult(explanation);
        return ready;
    }

    private PreparationExplanation explain(StoredPreparation stored, Optional<PlanDocument> plan) {
        Optional<PlannedPreparations> said = plan.map(PlanDocument::preparations);
        boolean waits = stored.state() == PreparationState.WAITING;
        PlannedPreparations.Entry running = stored.state() == PreparationState.RUNNING
                ? said.flatMap(all -> all.entry(stored.id())).orElse(null)
                : null;
        PendingPreparation waiting = waits ? PlannedPreparations.why(stored, said) : null;
        return new PreparationExplanation(
                stored.id(),
                stored.state(),
                plan.map(PlanDocument::revision).orElse(0L),
                sentence(stored, running, waiting),
                running,
                waiting,
                null,
                stored.state().hasEnded()
                        ? null
                        : estimates
                                .current()
                                .ofPreparation(stored.id(), waits, stored.held())
                                .orElse(null));
    }

    private static String sentence(
            StoredPreparation stored,
            PlannedPreparations.@Nullable Entry running,
            @Nullable PendingPreparation waiting) {
        if (waiting != null) {
            return waiting.message();
        }
        return running == null
                ? "The preparation is %s.".formatted(stored.state().name().toLowerCase(Locale.ROOT))
                : running.message();
    }
}
