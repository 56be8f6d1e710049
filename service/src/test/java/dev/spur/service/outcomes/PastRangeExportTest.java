package dev.spur.service.outcomes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.history.CapacityChange;
import dev.spur.model.history.PastJob;
import dev.spur.model.history.PastRange;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.json.RoundJson;
import dev.spur.prediction.stall.LearnedStalls;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.security.Role;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import dev.spur.simulator.audit.PastRangeReplays;
import dev.spur.simulator.audit.SelfAudit;
import dev.spur.simulator.audit.SelfAuditReport;
import dev.spur.simulator.replay.ProgressListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.transaction.support.TransactionTemplate;

/** Exports of 10 January 2026. */
class PastRangeExportTest extends ServiceTest {
    private static final String PATH = "/api/v1/outcomes/export";
    private static final String DAY = PATH + "?since=2026-01-10T00:00:00Z&until=2026-01-11T00:00:00Z";

    @LocalServerPort
    private int port;

    private ContractedClient api;

    @BeforeEach
    void connect() {
        api = new ContractedClient(port);
    }

    /** A job with 10,000 s of work on one slot, 1,250 s on 8, and 30 s for each start. */
    private String job(String submitted, String state, String ended, double done) {
        String job = world.job(1);
        world.sql("""
                update job set submitted_at = cast(? as timestamptz), state = ?, ended_at = cast(? as timestamptz), done_work = ?
                where id = ?
                """, submitted, state, ended, done, job);
        return job;
    }

    private void held(String job, int generation, int slots, String from, String until) {
        world.sql("""
                insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at, ended_at)
                values (?, ?, 1, 'START', jsonb_build_object('placement', jsonb_build_array(jsonb_build_object(
                    'node', 'n1', 'devices', to_jsonb(array_fill('d'::text, array[?]))))), cast(? as timestamptz), cast(? as timestamptz))
                """, job, generation, slots, from, until);
    }

    private PastRange range() {
        return RoundJson.mapper().readValue(api.get(DAY).is(200).text(), PastRange.class);
    }

    @Test
    void hasTheWorkOfEachJobInTheRange() {
        String done = job("2026-01-09T23:00:00Z", "DONE", "2026-01-10T02:00:00Z", 1e6);
        held(done, 1, 2, "2026-01-09T23:00:00Z", "2026-01-10T00:00:00Z");
        held(done, 2, 4, "2026-01-10T00:00:00Z", "2026-01-10T01:30:00Z");
        String failed = job("2026-01-10T05:00:00Z", "FAILED", "2026-01-10T06:00:00Z", 3e5);
        String active = job("2026-01-10T05:00:00Z", "RUNNING", null, 2e5);
        job("2026-01-09T05:00:00Z", "DONE", "2026-01-09T06:00:00Z", 1e6);
        job("2026-01-11T05:00:00Z", "RUNNING", null, 0);

        Map<String, PastJob> past = range().jobs().stream().collect(Collectors.toMap(PastJob::id, Function.identity()));

        assertThat(past).containsOnlyKeys(done, failed, active);
        // a quarter of the 8 slot-hours was before the range
        assertThat(past.get(done).work()).isCloseTo(0.75e6, within(1.0));
        assertThat(past.get(done).jctSeconds()).isEqualTo(10_800);
        assertThat(past.get(failed).work()).isEqualTo(3e5);
        assertThat(past.get(failed).jctSeconds()).isNull();
        assertThat(past.get(active).work()).isEqualTo(1e6);
    }

    @Test
    void hasTheNodesTheCapacitiesAndTheIntervalOfRounds() {
        world.node("n1", 8);
        world.sql("insert into slot_capacity values ('A100', '2026-01-09T00:00:00Z', 8, 0)");

        PastRange range = range();

        assertThat(range.state().nodes()).hasSize(1);
        assertThat(range.state().jobs()).isEmpty();
        assertThat(range.capacities())
                .containsExactly(new CapacityChange("A100", Instant.parse("2026-01-09T00:00:00Z"), 8, 0));
        assertThat(range.roundSeconds()).isEqualTo(60);
    }

    @Test
    void isTheInputOfASelfAudit() {
        world.node("n1", 8);
        job("2026-01-10T00:00:00Z", "DONE", "2026-01-10T00:30:00Z", 1e6);

        PastRange range = range();
        SelfAuditReport report = SelfAuditReport.of(
                range, SelfAudit.run(PastRangeReplays.of(range, range.roundSeconds()), ProgressListener.NONE));

        // 30 s to start and 1,250 s on 8 slots; FIFO gives one slot
        assertThat(report.baseline().meanJctSeconds()).isEqualTo(1280);
        assertThat(report.references().get(0).meanJctSeconds()).isEqualTo(10_030);
        assertThat(report.observed()).isEqualTo(new SelfAuditReport.Observed(1, 1800.0, 1280.0));
    }

    @Test
    void isThatOfYesterdayByDefault() {
        PastRange range = RoundJson.mapper().readValue(api.get(PATH).is(200).text(), PastRange.class);

        assertThat(Duration.between(range.since(), range.until())).isEqualTo(Duration.ofDays(1));
        assertThat(range.until())
                .isBeforeOrEqualTo(Instant.now())
                .isAfter(Instant.now().minus(Duration.ofHours(25)));
    }

    @Test
    void isRejectedForALongRangeAndForCallersThatAreConfinedToTenants() {
        assertThat(api.get(PATH + "?since=2025-01-01T00:00:00Z&until=2025-06-01T00:00:00Z")
                        .is(ProblemType.INVALID_REQUEST)
                        .text())
                .contains("at most 31 days");
        api.with(world.token(Role.VIEWER, "root", null)).get(DAY).is(403);
    }

    @Test
    void hasAllPagesOfJobsInTheOrderOfSubmission() {
        List<String> jobs = IntStream.range(0, 101)
                .mapToObj(number -> job("2026-01-10T05:00:00Z", "RUNNING", null, 0))
                .toList();

        assertThat(range().jobs()).extracting(PastJob::id).containsExactlyElementsOf(jobs);
    }

    @Test
    void isAProblemIfItFailsBeforeItsFirstPartIsSent() {
        String broken = job("2026-01-10T05:00:00Z", "RUNNING", null, 0);
        world.sql("update job set spec = '{\"work\": 1}' where id = ?", broken);

        api.get(DAY).is(ProblemType.INTERNAL_ERROR);
    }

    @Test
    void endsWithoutItsLastChunkIfALaterPageFails() throws Exception {
        for (int number = 0; number < 100; number++) {
            job("2026-01-10T05:00:00Z", "RUNNING", null, 0);
        }
        String broken = job("2026-01-10T05:00:00Z", "RUNNING", null, 0);
        world.sql("update job set spec = '{\"work\": 1}' where id = ?", broken);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + DAY))
                .build();
        HttpClient client = HttpClient.newHttpClient();

        HttpResponse<InputStream> begun = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(begun.statusCode()).isEqualTo(200);
        assertThat(begun.headers().firstValue("Content-Length")).isEmpty();
        try (InputStream body = begun.body()) {
            assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
        }

        world.sql("delete from job where id = ?", broken);
        assertThat(range().jobs()).hasSize(100);
    }

    @Test
    void hasTheAssumedSpecificationOnlyWhereItDiffersFromTheStatedOne() {
        String asStated = job("2026-01-10T05:00:00Z", "RUNNING", null, 0);
        String slower = job("2026-01-10T05:00:00Z", "RUNNING", null, 0);
        world.sql(
                "insert into job_stall (job_id, learned_stalls, counted_generation, counted_number) values (?, cast(? as jsonb), 1, 1)",
                slower,
                LearnedStalls.NOTHING.and(ChangeMechanism.RESTART, 600).json());

        Map<String, PastJob> past = range().jobs().stream().collect(Collectors.toMap(PastJob::id, Function.identity()));

        assertThat(past.get(asStated).assumed()).isNull();
        assertThat(past.get(asStated).measured()).isNull();
        assertThat(past.get(slower).stated().restartPenaltySeconds()).isEqualTo(30);
        assertThat(past.get(slower).assumed().restartPenaltySeconds()).isGreaterThan(100);
        assertThat(past.get(slower).measured()).isEqualTo(past.get(slower).assumed());
    }

    @Test
    void isRejectedForMoreJobsThanItsLimit(
            @Autowired PastJobStore store, @Autowired CapacityStore capacities, @Autowired SnapshotReader snapshots) {
        var export = new PastRangeExport(store, capacities, snapshots, 2);
        TimeRange day = TimeRange.of(
                Optional.of(Instant.parse("2026-01-10T00:00:00Z")), Optional.of(Instant.parse("2026-01-11T00:00:00Z")));
        job("2026-01-10T05:00:00Z", "RUNNING", null, 0);
        job("2026-01-10T05:00:00Z", "RUNNING", null, 0);
        export.write(day, OutputStream.nullOutputStream());
        job("2026-01-10T05:00:00Z", "RUNNING", null, 0);

        assertThatThrownBy(() -> export.write(day, OutputStream.nullOutputStream()))
                .isInstanceOfSatisfying(ProblemException.class, problem -> {
                    assertThat(problem.type()).isEqualTo(ProblemType.INVALID_REQUEST);
                    assertThat(problem.errors().get(0).message())
                            .isEqualTo("must be later than 2026-01-10T00:00:00Z, because more than 2 jobs were active "
                                    + "from then to 2026-01-11T00:00:00Z; export shorter ranges");
                });
    }

    @Test
    void isRejectedWhileAnotherOneRuns(@Autowired TransactionTemplate transaction) {
        CompletableFuture<ContractedClient.Answer> first = transaction.execute(status -> {
            world.sql("lock table job in access exclusive mode");
            CompletableFuture<ContractedClient.Answer> running = CompletableFuture.supplyAsync(() -> api.get(DAY));
            awaitBlocked(running);
            assertThat(api.get(DAY).is(ProblemType.TOO_MANY_REQUESTS).header("Retry-After"))
                    .isEqualTo("5");
            return running;
        });

        first.join().is(200);
        api.get(DAY).is(200);
    }
}
