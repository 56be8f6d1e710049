package dev.spur.service.preparation;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.spur.model.preparation.Grant;
import dev.spur.model.preparation.PreparationSpec;
import dev.spur.model.round.Deferral;
import dev.spur.model.round.ReasonToken;
import dev.spur.service.estimate.EstimateFeed;
import dev.spur.service.estimate.JobEstimate;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlannedPreparations;
import dev.spur.service.store.PreparationState;
import dev.spur.service.store.StoredPreparation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A preparation as clients see it. Members as in the contract. */
record PreparationView(
        String id,
        String tenant,
        String owner,
        String name,
        @Nullable String externalId,
        Map<String, String> labels,
        PreparationSpec spec,
        @JsonRawValue @Nullable String command,
        PreparationState state,
        boolean held,
        Instant submittedAt,
        @Nullable Instant endedAt,
        double doneSeconds,
        double remainingSeconds,
        long generation,
        @Nullable Grant grant,
        @Nullable Double slowDown,
        @Nullable Waiting waiting,
        @Nullable String sentence,
        @Nullable String detail,
        @Nullable JobEstimate estimate) {
    /**
     * Why a preparation waits.
     *
     * @param reason for programs
     * @param sentence for people
     * @param position place in the queue of preparations, from 1
     */
    record Waiting(ReasonToken reason, String sentence, int position) {}

    static PreparationView of(StoredPreparation stored, Optional<PlanDocument> plan, EstimateFeed.Edition estimates) {
        Optional<PlannedPreparations> said = plan.map(PlanDocument::preparations);
        Grant grant = stored.grant();
        return new PreparationView(
                stored.id(),
                stored.tenant(),
                stored.owner(),
                stored.name(),
                stored.externalId(),
                stored.labels(),
                stored.spec(),
                stored.command(),
                stored.state(),
                stored.held(),
                stored.submittedAt().truncatedTo(ChronoUnit.MILLIS),
                stored.endedAt() == null ? null : stored.endedAt().truncatedTo(ChronoUnit.MILLIS),
                stored.progress().doneSeconds(),
                stored.remainingSeconds(),
                stored.generation(),
                grant,
                grant == null ? null : stored.spec().slowDown(grant.localGiB(), grant.borrowedGiB()),
                stored.state() == PreparationState.WAITING ? waiting(stored, said) : null,
                grant == null
                        ? null
                        : said.flatMap(all -> all.entry(stored.id()))
                                .map(PlannedPreparations.Entry::sentence)
                                .orElse(null),
                stored.progress().detail(),
                stored.state().hasEnded()
                        ? null
                        : estimates
                                .ofPreparation(stored.id(), stored.state() == PreparationState.WAITING, stored.held())
                                .orElse(null));
    }

    private static Waiting waiting(StoredPreparation stored, Optional<PlannedPreparations> said) {
        Deferral why = PlannedPreparations.why(stored, said);
        return new Waiting(why.reason(), why.sentence(), why.position());
    }
}
