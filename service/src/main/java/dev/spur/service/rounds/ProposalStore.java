package dev.spur.service.rounds;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.rounds.ProposalStore.StoredProposal.Status;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Plans that wait, or have waited, for the approval of an operator. Changes must run in a transaction. */
@Repository
public class ProposalStore {
    /** Supersedes open and approved proposals, when plans no longer require approval. */
    public static final String SUPERSEDE_ALL =
            "update proposal set status = 'SUPERSEDED' where status in ('OPEN', 'APPROVED')";

    private static final String SELECT = """
            select number, round_number as round, base_revision as base_plan_revision, status, created_at, decided_at, decided_by, note, reasons,
                plan_revision, objective_delta, body, diff
            from proposal
            """;

    private final JdbcClient jdbc;

    ProposalStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Plan that waits, or has waited, for the approval of an operator. Members as in the contract. */
    public record StoredProposal(
            long number,
            long round,
            long basePlanRevision,
            Status status,
            Instant createdAt,
            @Nullable Instant decidedAt,
            @Nullable String decidedBy,
            @Nullable String note,
            List<String> reasons,
            @Nullable Long planRevision,
            double objectiveDelta,
            @JsonIgnore String body,
            @JsonIgnore String diff) {
        public StoredProposal {
            reasons = List.copyOf(reasons);
        }

        /** Status of a proposal. */
        public enum Status {
            /** The proposal waits for a decision. */
            OPEN,
            /** The proposal is approved, and the next round publishes it or marks it as REFUSED. */
            APPROVED,
            /** The proposal is or was the current plan. */
            PUBLISHED,
            /** The proposal was approved, but no longer passed the plan validator. */
            REFUSED,
            /** An operator has rejected the proposal. */
            REJECTED,
            /** A later round produced another plan before a decision. */
            SUPERSEDED
        }
    }

    /** Returns the newest proposals before {@code number}, the newest first. A null {@code status} stands for all. */
    public List<StoredProposal> before(long number, @Nullable String status, int limit) {
        return jdbc.sql(SELECT + " where number < ? and status = coalesce(?, status) order by number desc limit ?")
                .param(number)
                .param(status)
                .param(limit)
                .query(RecordMapper.of(StoredProposal.class))
                .list();
    }

    /** Returns the proposal with this number. */
    public Optional<StoredProposal> find(long number) {
        return one(" where number = ?", number);
    }

    /** Returns the proposal with this number and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<StoredProposal> lock(long number) {
        return one(" where number = ? for update", number);
    }

    /** Returns the proposal that waits for a decision; empty if there is none. */
    public Optional<StoredProposal> open() {
        return one(" where status = ?", Status.OPEN.name());
    }

    /** Returns the proposal that is approved but not published; empty if there is none. */
    public Optional<StoredProposal> findApproved() {
        return one(" where status = ?", Status.APPROVED.name());
    }

    /** Returns the newest proposal. */
    public Optional<StoredProposal> newest() {
        return one(" where number = (select max(number) from proposal where ?)", true);
    }

    private Optional<StoredProposal> one(String where, Object parameter) {
        return jdbc.sql(SELECT + where)
                .param(parameter)
                .query(RecordMapper.of(StoredProposal.class))
                .optional();
    }

    /** Adds an open proposal. There must be no other open one. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void insert(long round, long baseRevision, double objectiveDelta, String body, String diff) {
        jdbc.sql("""
                        insert into proposal (round_number, base_revision, status, objective_delta, body, diff)
                        values (?, ?, 'OPEN', ?, ?, ?)
                        """).params(round, baseRevision, objectiveDelta, body, diff).update();
    }

    /** Records the approval or rejection of a proposal. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void decide(long number, Status status, String by, @Nullable String note) {
        jdbc.sql("update proposal set status = ?, decided_at = now(), decided_by = ?, note = ? where number = ?")
                .param(status.name())
                .param(by)
                .param(note)
                .param(number)
                .update();
    }

    /** Records that an approved proposal was published as a revision. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void recordPublication(long number, long revision) {
        jdbc.sql("update proposal set status = 'PUBLISHED', plan_revision = ? where number = ? and status = 'APPROVED'")
                .params(revision, number)
                .update();
    }

    /** Records the reasons why an approved proposal was not published. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void refuse(long number, List<String> reasons) {
        jdbc.sql("update proposal set status = 'REFUSED', reasons = ? where number = ? and status = 'APPROVED'")
                .param(reasons.toArray(String[]::new))
                .param(number)
                .update();
    }

    /** Supersedes the open proposal, if there is one. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void supersede() {
        jdbc.sql("update proposal set status = 'SUPERSEDED' where status = 'OPEN'")
                .update();
    }

    /** Deletes all but the newest {@code count} proposals. Open and approved proposals are never deleted. */
    public void prune(int count) {
        jdbc.sql("""
                        delete from proposal
                        where number <= (select number from proposal order by number desc offset ? limit 1) and status not in ('OPEN', 'APPROVED')
                        """).param(count).update();
    }
}
