package dev.spur.simulator.audit;

import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.JobFixture;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.history.CapacityChange;
import dev.spur.model.history.PastJob;
import dev.spur.model.history.PastRange;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.simulator.audit.PastRangeReplays.LearnedView;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.trace.RunHistory;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Self-audits of 10 January 2026. */
class PastRangeReplaysTest {
    private static final Instant SINCE = Instant.parse("2026-01-10T00:00:00Z");
    private static final Instant UNTIL = Instant.parse("2026-01-11T00:00:00Z");

    /** 10,000 s of work on one slot, 1,250 s on 8, and 30 s for each start. */
    private static JobSpec spec() {
        return JobFixture.job("a")
                .slots(1, 8)
                .speeds(100, 200, 300, 400, 500, 600, 700, 800)
                .work(1e6)
                .restartPenalty(30)
                .spec();
    }

    private static PastJob job(String id, String submitted, String state, double work) {
        return new PastJob(
                id,
                "root",
                Instant.parse(submitted),
                state,
                state.equals("DONE") ? 1800.0 : null,
                work,
                null,
                spec(),
                null,
                null);
    }

    private static PastRange range(RoundProblem state, List<CapacityChange> capacities, PastJob... jobs) {
        return new PastRange(PastRange.FORMAT, SINCE, UNTIL, 60, state, capacities, List.of(jobs));
    }

    @Nested
    class Jobs {
        @Test
        void countIfTheyWereSubmittedInTheRangeAndWereNotAborted() {
            PastRange range = range(
                    problem().nodes(8).build(),
                    List.of(),
                    job("before", "2026-01-09T23:00:00Z", "DONE", 1e6),
                    job("canceled", "2026-01-10T05:00:00Z", "CANCELLED", 3e5),
                    job("without work", "2026-01-10T05:00:00Z", "CANCELLED", 0),
                    job("counted", "2026-01-10T06:00:00Z", "DONE", 1e6));

            AuditInput input = PastRangeReplays.of(range, 60);

            assertThat(input.counted()).containsExactly("counted");
            assertThat(input.trace().jobs()).hasSize(3);
            assertThat(input.trace().jobs().get(0).arrival()).isZero();
            assertThat(input.trace().jobs().get(2).arrival()).isEqualTo(21_600);
        }

        @Test
        void arePlannedAsStatedBeforeTheirFirstRunAndAsMeasuredAfterIt() {
            JobSpec stated = spec();
            JobSpec measured = stated.edit().restartPenaltySeconds(7).build();
            LearnedView view = new LearnedView(stated, measured);
            var ran = new RunHistory(1000, List.of(JobFixture.configuration(List.of(1))));

            assertThat(view.after(RunHistory.NONE).spec()).isSameAs(stated);
            assertThat(view.after(ran).spec()).isSameAs(measured);
            assertThat(view.after(ran).remainingSamples()).isEqualTo(999_000);
        }
    }

    @Nested
    class Nodes {
        @Test
        void areClosedWhileTheClusterHadFewerSlotsThanNow() {
            List<CapacityChange> changes = List.of(
                    new CapacityChange("A100", Instant.parse("2026-01-09T00:00:00Z"), 12, 0),
                    new CapacityChange("A100", Instant.parse("2026-01-10T01:00:00Z"), 12, 5),
                    new CapacityChange("A100", Instant.parse("2026-01-10T02:00:00Z"), 8, 0),
                    new CapacityChange("A100", Instant.parse("2026-01-10T03:00:00Z"), 16, 0));

            List<MaintenanceWindow> windows = PastRangeReplays.of(
                            range(problem().nodes(4, 4, 4).build(), changes), 60)
                    .cluster()
                    .maintenance();

            assertThat(windows)
                    .extracting(MaintenanceWindow::nodes)
                    .containsExactly(List.of("n2", "n3"), List.of("n3"));
            assertThat(windows).extracting(MaintenanceWindow::start).containsExactly(3600.0, 7200.0);
            assertThat(windows).extracting(MaintenanceWindow::end).containsExactly(7200.0, 10_800.0);
        }
    }

    @Nested
    class Decisions {
        @Test
        void endByWorkHoweverShortTheTimeLimitOfRoundsIs() {
            RoundSettings hurried = RoundSettings.DEFAULT.withEffort(0.0005, new SolveBudget(2, 0.1, 4, 1));
            RoundProblem state = problem().nodes(8).build().withSettings(hurried);

            AuditInput input = PastRangeReplays.of(range(state, List.of()), 30);

            assertThat(input.settings().settings().budget()).isEqualTo(new SolveBudget(2, 300, 1, 1));
            assertThat(input.settings().settings().gapTarget()).isEqualTo(0.0005);
            assertThat(input.settings().roundSeconds()).isEqualTo(30);
        }
    }

    @Nested
    class Reports {
        @Test
        void haveTheRegretByCauseAndTheDistanceFromFifo() {
            PastRange range =
                    range(problem().nodes(8).build(), List.of(), job("a", "2026-01-10T00:00:00Z", "DONE", 1e6));

            SelfAuditReport report =
                    SelfAuditReport.of(range, SelfAudit.run(PastRangeReplays.of(range, 60), ProgressListener.NONE));

            // 30 s to start and 1,250 s on 8 slots; FIFO gives one slot
            assertThat(report.baseline().meanJctSeconds()).isEqualTo(1280);
            assertThat(report.references().get(0).meanJctSeconds()).isEqualTo(10_030);
            assertThat(report.summary()).startsWith("Mean JCT 87.2 % below fifo, 87.2 % below fifo-backfill; lost:");
            assertThat(report.observed()).isEqualTo(new SelfAuditReport.Observed(1, 1800.0, 1280.0));
            assertThat(report.regret()).extracting(AuditResult.Regret::cause).containsExactly(RegretCause.values());
            assertThat(report.total().seconds())
                    .isEqualTo(report.regret().stream()
                            .mapToDouble(AuditResult.Regret::seconds)
                            .sum());
            assertThat(report.csv().lines()).hasSize(9).allMatch(line -> line.split(",", -1).length == 6);
            assertThat(report.text())
                    .startsWith("2026-01-10T00:00:00Z to 2026-01-11T00:00:00Z, 1 jobs")
                    .containsPattern("without optimality gap +\\S+ +\\S+ +\\d+")
                    .containsPattern("fifo-backfill +10030 +10030 +0.00");
        }
    }

    @Test
    void aRangeOfAnotherFormatIsRejected() {
        RoundProblem state = problem().build();

        assertThatThrownBy(() -> new PastRange("spur-history/9", SINCE, UNTIL, 60, state, List.of(), List.of()))
                .hasMessageContaining("format (spur-history/9) must be spur-history/1");
    }
}
