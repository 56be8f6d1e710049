package dev.spur.service.dataprep.api;

import dev.spur.model.Seconds;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.dataprep.PreparationHistory;
import dev.spur.service.dataprep.PreparationState;
import dev.spur.service.dataprep.PreparationStore;
import dev.spur.service.dataprep.StoredPreparation;
import dev.spur.service.executor.ExecutorProperties;
import dev.spur.service.job.Command;
import dev.spur.service.trigger.RoundTrigger;
import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Applies progress reports of preparations. Each method is one transaction that has locked the preparation. */
@Component
class PreparationReportService {
    private final PreparationStore preparations;
    private final ExecutorProperties properties;
    private final RoundTrigger trigger;
    private final PreparationHistory history;

    PreparationReportService(
            PreparationStore preparations,
            ExecutorProperties properties,
            RoundTrigger trigger,
            PreparationHistory history) {
        this.preparations = preparations;
        this.properties = properties;
        this.trigger = trigger;
        this.history = history;
    }

    /**
     * The preparation after a report.
     *
     * @param preparation its current state
     * @param applied false if the report contained nothing new
     */
    record Reply(StoredPreparation preparation, boolean applied) {}

    /**
     * Applies a report. Counters are cumulative, so a lost or repeated report does no harm.
     *
     * @throws ProblemException 404 if it does not exist, 409 if the report has another generation, 410 if it has ended
     */
    @Transactional
    Reply take(String id, PreparationReport report) {
        StoredPreparation before = locked(id);
        requireCurrent(before, report);
        boolean isNew = before.progress().generation() != report.generation()
                || report.seq() > before.progress().seq();
        if (isNew) {
            preparations.report(
                    id, report.generation(), report.seq(), report.doneSeconds(), report.activity(), report.detail());
            moveOn(before, report);
        }
        return new Reply(preparations.find(id).orElseThrow(), isNew);
    }

    private StoredPreparation locked(String id) {
        return preparations.lock(id).orElseThrow(() -> ProblemException.notFound("preparation", id));
    }

    private static void requireCurrent(StoredPreparation now, PreparationReport report) {
        if (now.state().hasEnded()) {
            throw ProblemException.of(ProblemType.GONE, "The preparation is " + now.state() + ".")
                    .withStop(null);
        }
        if (report.generation() != now.generation() || now.grant() == null) {
            throw ProblemException.of(
                            ProblemType.STALE_GENERATION,
                            "The preparation is at generation %d, the report carries %d."
                                    .formatted(now.generation(), report.generation()))
                    .withStop(now.generation());
        }
    }

    private void moveOn(StoredPreparation before, PreparationReport report) {
        switch (report.state()) {
            case RUNNING -> {}
            case COMPLETED -> end(before, PreparationState.DONE, report);
            case FAILED -> failed(before, report);
        }
    }

    private void end(StoredPreparation before, PreparationState state, PreparationReport report) {
        preparations.end(before.id(), state, report.detail());
        history.tell(before.id(), state.name(), details(before, report));
        trigger.changed("preparation ended");
    }

    private void failed(StoredPreparation before, PreparationReport report) {
        boolean ranLong = before.heldSeconds() >= Seconds.of(properties.stableAfter());
        int failures = 1 + (ranLong ? 0 : before.progress().failures());
        String command = before.command();
        if (failures > (command == null ? 0 : Command.read(command).maxRestarts())) {
            end(before, PreparationState.FAILED, report);
            return;
        }
        preparations.requeue(before.id(), failures, properties.backoffSeconds(failures), report.detail());
        history.tell(before.id(), "REQUEUED", details(before, report));
        trigger.changed("preparation requeued");
    }

    private static Map<String, Object> details(StoredPreparation before, PreparationReport report) {
        Map<String, Object> detail = new HashMap<>(Map.of("generation", before.generation()));
        if (report.detail() != null) {
            detail.put("detail", report.detail());
        }
        return detail;
    }
}
