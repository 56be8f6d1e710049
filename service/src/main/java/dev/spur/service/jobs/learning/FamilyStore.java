package dev.spur.service.jobs.learning;

import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.json.RoundJson;
import dev.spur.prediction.family.FamilySpeeds;
import dev.spur.prediction.speed.TypedObservation;
import dev.spur.prediction.stall.LearnedStalls;
import dev.spur.service.database.RecordMapper;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Speeds and stalls of job families, learned from all jobs of each family. */
@Repository
class FamilyStore {
    /** Maximum number of stored families. Beyond it, the families with the oldest update are deleted. */
    private static final int MAX = 500;

    private final JdbcClient jdbc;

    FamilyStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A family at a version.
     *
     * @param version rises with every change of the family
     */
    record VersionedFamily(FamilySpeeds speeds, long version) {}

    /**
     * Returns the sum of the versions of all families, which rises with every change. The highest version would not: a
     * transaction may commit after another that drew its number later.
     */
    public long version() {
        return jdbc.sql("select coalesce(sum(version), 0)::bigint from model_family")
                .query(Long.class)
                .single();
    }

    /** Returns every family. */
    public List<VersionedFamily> all() {
        return jdbc.sql("select speeds, version from model_family order by name")
                .query(RecordMapper.of(VersionedFamily.class))
                .list();
    }

    /** Adds the measurements of a job to its family. Must run in a transaction of the caller. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void learn(String family, List<TypedObservation> measured) {
        if (measured.isEmpty()) {
            return;
        }
        FamilySpeeds before = read(readForUpdate(family, "speeds"));
        jdbc.sql("""
                        update model_family set speeds = cast(? as jsonb), version = nextval('model_family_version'),
                            updated_at = now()
                        where name = ?
                        """).params(json(before.learn(measured)), family).update();
        prune();
    }

    /** Adds the stall of a change of a job to its family. Must run in a transaction of the caller. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void learn(String family, ChangeMechanism change, double seconds) {
        LearnedStalls before = LearnedStalls.read(readForUpdate(family, "stalls"));
        jdbc.sql("""
                        update model_family set stalls = cast(? as jsonb), stalls_version = nextval('model_family_version'),
                            updated_at = now()
                        where name = ?
                        """).params(before.and(change, seconds).json(), family).update();
        prune();
    }

    /** Returns the measured stalls of a family; nothing for null and for an unknown family. */
    public LearnedStalls stalls(@Nullable String family) {
        if (family == null) {
            return LearnedStalls.NOTHING;
        }
        return jdbc.sql("select stalls::text from model_family where name = ?")
                .param(family)
                .query(String.class)
                .optional()
                .map(LearnedStalls::read)
                .orElse(LearnedStalls.NOTHING);
    }

    /** Returns a column of the family and locks the family until the transaction ends. Adds an unknown family. */
    private String readForUpdate(String family, String column) {
        jdbc.sql("insert into model_family (name, speeds) values (?, cast(? as jsonb)) on conflict do nothing")
                .params(family, json(FamilySpeeds.unknown(family)))
                .update();
        return jdbc.sql("select %s::text from model_family where name = ? for update".formatted(column))
                .param(family)
                .query(String.class)
                .single();
    }

    private void prune() {
        jdbc.sql("""
                        delete from model_family where name in
                            (select name from model_family order by updated_at desc, name offset ?)
                        """).param(MAX).update();
    }

    private static FamilySpeeds read(String json) {
        return RoundJson.mapper().readValue(json, FamilySpeeds.class);
    }

    private static String json(FamilySpeeds speeds) {
        return RoundJson.mapper().writeValueAsString(speeds);
    }
}
