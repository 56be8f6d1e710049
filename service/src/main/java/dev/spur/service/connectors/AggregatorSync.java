package dev.spur.service.connectors;

import dev.spur.connectors.DesiredAggregator;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.reconcile.AggregatorReconciler;
import dev.spur.connectors.reconcile.PlatformObservation;
import dev.spur.service.connectors.PlatformRunStore.KnownRun;
import dev.spur.service.jobs.learning.AggregatorStore;
import java.io.IOException;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Synchronization of the plan's aggregators with platforms that run them. It also records the processes of jobs that
 * send gradients to them.
 */
@Component
class AggregatorSync {
    private final PlatformAggregatorStore store;
    private final PlatformRunStore runs;
    private final AggregatorStore planned;

    AggregatorSync(PlatformAggregatorStore store, PlatformRunStore runs, AggregatorStore planned) {
        this.store = store;
        this.runs = runs;
        this.planned = planned;
    }

    /** Records the observed runs. A job with an allocation continues to send. */
    void follow(String connector, PlatformObservation seen) {
        Map<String, KnownRun> known = runs.runs(connector);
        for (PlatformJob job : seen.jobs().values()) {
            PlatformJob.Training training = job.training();
            KnownRun now = new KnownRun(
                    training.key().orElse(null),
                    job.held().isNowhere() ? null : training.run().orElse(null));
            if (known.containsKey(job.id()) && !now.equals(known.get(job.id()))) {
                runs.recordRun(connector, job.id(), now, job.held().total());
            }
        }
    }

    /**
     * Reconciles the aggregators with the plan.
     *
     * @throws IOException if the platform does not respond
     */
    void keep(String connector, AggregatorReconciler keeper) throws IOException, InterruptedException {
        AggregatorReconciler.ReconcileResult result = keeper.reconcile(store.desiredAggregators(connector));
        for (DesiredAggregator repeatedlyFailing : result.repeatedlyFailing()) {
            // An unknown process may occupy its port.
            planned.move(repeatedlyFailing.node(), repeatedlyFailing.number(), repeatedlyFailing.port());
        }
    }
}
