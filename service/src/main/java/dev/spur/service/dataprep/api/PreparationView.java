package dev.spur.service.dataprep.api;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.round.PendingPreparation;
import dev.spur.model.round.PendingReason;
import dev.spur.service.dataprep.PreparationState;
import dev.spur.service.dataprep.StoredPreparation;
import dev.spur.service.eta.EtaFeed;
import dev.spur.service.eta.JobEta;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlannedPreparations;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/** A preparation as the API returns it. Members as in the contract. */
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

        @JsonSerialize(using = Rfc3339.GrantSerializer.class)
        @JsonDeserialize(using = Rfc3339.GrantDeserializer.class)
        @Nullable
        PreparationAllocation grant,

        @Nullable Double slowDown,
        @Nullable PendingStatus waiting,
        @Nullable String message,
        @Nullable String detail,
        @Nullable JobEta eta) {
    /**
     * Why a preparation waits.
     *
     * @param reason machine-readable reason
     * @param message the reason in a sentence
     * @param queuePosition position in the queue of preparations, from 1
     */
    record PendingStatus(PendingReason reason, String message, int queuePosition) {}

    static PreparationView of(StoredPreparation stored, Optional<PlanDocument> plan, EtaFeed.PublishedEtas estimates) {
        Optional<PlannedPreparations> said = plan.map(PlanDocument::preparations);
        PreparationAllocation grant = stored.grant();
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
                                .map(PlannedPreparations.Entry::message)
                                .orElse(null),
                stored.progress().detail(),
                stored.state().hasEnded()
                        ? null
                        : estimates
                                .ofPreparation(stored.id(), stored.state() == PreparationState.WAITING, stored.held())
                                .orElse(null));
    }

    private static PendingStatus waiting(StoredPreparation stored, Optional<PlannedPreparations> said) {
        PendingPreparation why = PlannedPreparations.why(stored, said);
        return new PendingStatus(why.reason(), why.message(), why.queuePosition());
    }
}
