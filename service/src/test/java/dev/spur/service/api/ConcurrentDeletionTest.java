package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;

/** What refers to something that others delete at the same moment: it is answered as if it had come after them. */
class ConcurrentDeletionTest extends ApiTest {
    private static final String N0 = "/api/v1/nodes/n0";
    private static final String E0 = "/api/v1/executors/n0";

    @Autowired
    private TransactionTemplate transaction;

    @BeforeEach
    void registerThings() {
        cluster(2);
        api.put("/api/v1/pools/other", "{}").is(201);
        api.put("/api/v1/accelerator-types/H100", "{\"memoryGiB\": 80}").is(201);
        api.put("/api/v1/tenants/team", "{\"parent\": \"root\"}").is(201);
    }

    private Answer register(String path, String pool, String type) {
        return api.put(path, """
                {"instance": "x", "pool": "%s", "acceleratorType": "%s", "devices": [{"uuid": "d0"}, {"uuid": "d1"}],
                 "cpus": 64, "memoryGiB": 512}
                """.formatted(pool, type));
    }

    private Answer node(String path, String pool, String type) {
        return api.put(path, """
                {"pool": "%s", "acceleratorType": "%s", "devices": ["d0", "d1"], "cpus": 64, "memoryGiB": 512}
                """.formatted(pool, type), path.equals(N0) ? "If-Match" : "If-None-Match", "*");
    }

    /** The answer to what is asked while somebody is about to delete a thing. */
    private Answer untilLocked(String table, String name, Supplier<Answer> question) {
        return Objects.requireNonNull(transaction.execute(status -> {
            world.value(Integer.class, "select 1 from " + table + " where name = ? for update", name);
            return CompletableFuture.supplyAsync(question)
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join();
        }));
    }

    @Nested
    class AnExecutor {
        @ParameterizedTest
        @CsvSource({"pool, other, A100", "accelerator_type, main, H100"})
        void thatIsNewBringsWhatItsNodeNeeds(String table, String pool, String type) {
            String gone = table.equals("pool") ? pool : type;

            beside("delete from " + table + " where name = ?", gone, () -> register("/api/v1/executors/n9", pool, type))
                    .is(200);

            Answer entered = api.get("/api/v1/nodes/n9").is(200);
            assertThat(entered.at("/pool")).isEqualTo(pool);
            assertThat(entered.at("/acceleratorType")).isEqualTo(type);
        }

        @Test
        void thatFindsDevicesOfAnotherTypeBringsTheType() {
            beside("delete from accelerator_type where name = ?", "H100", () -> register(E0, "main", "H100"))
                    .is(200);

            assertThat(api.get(N0).is(200).at("/acceleratorType")).isEqualTo("H100");
        }

        @Test
        void mayTellOfDevicesOfANodeThatGoes() {
            String registrationEpoch = register(E0, "main", "A100").is(200).at("/registrationEpoch");
            String unhealthy = "{\"registrationEpoch\": %s, \"devices\": [{\"uuid\": \"d0\", \"healthy\": false}]}";

            beside(
                            "delete from node where id = ?",
                            "n0",
                            () -> api.put(E0 + "/heartbeat", unhealthy.formatted(registrationEpoch)))
                    .is(200);

            assertThat(count("device_health")).isZero();
        }
    }

    @Nested
    class ANode {
        @ParameterizedTest
        @CsvSource({"n0", "n9"})
        void findsItsPoolOrTypeGone(String id) {
            String path = "/api/v1/nodes/" + id;

            refused("/pool", beside("delete from pool where name = ?", "other", () -> node(path, "other", "A100")));
            refused(
                    "/acceleratorType",
                    beside("delete from accelerator_type where name = ?", "H100", () -> node(path, "main", "H100")));
        }

        @Test
        void thatGoesTakesNoReportOfItsMemory() {
            beside("delete from node where id = ?", "n0", () -> api.put(N0 + "/memory", "{\"usedGiB\": 3}"))
                    .is(ProblemType.NOT_FOUND);
        }

        /** Or else each would wait for the other. */
        @Test
        void doesNotWaitForADeletionOfWhatItRefersToAlready() {
            untilLocked("pool", "main", () -> api.post(N0 + "/cordon", "")).is(200);
            untilLocked("accelerator_type", "A100", () -> register(E0, "main", "A100"))
                    .is(200);
        }
    }

    @Nested
    class ATenantThatGoes {
        private static final String GROUP = "/api/v1/groups/g";
        private static final String RESERVATION = "/api/v1/reservations/r";
        private static final String RESERVED = """
                {"nodes": ["n0"], "tenant": "%s", "start": "2126-11-28T14:00:00Z", "end": "2126-11-28T%d:00:00Z"}
                """;

        @Test
        void getsNothingThatOthersHave() {
            api.put(GROUP, "{}").is(201);
            api.put(RESERVATION, RESERVED.formatted("root", 16)).is(201);

            for (Supplier<Answer> request : List.<Supplier<Answer>>of(
                    () -> api.put(GROUP, "{\"tenant\": \"team\"}", "If-Match", "*"),
                    () -> api.put(RESERVATION, RESERVED.formatted("team", 16), "If-Match", "*"))) {
                refused("/tenant", beside("delete from tenant where name = ?", "team", request));
                api.put("/api/v1/tenants/team", "{\"parent\": \"root\"}").is(201);
            }
        }

        /** Or else each would wait for the other. */
        @Test
        void isNotWaitedForByWhatItHasAlready() {
            api.put(GROUP, "{\"tenant\": \"team\"}").is(201);
            api.put(RESERVATION, RESERVED.formatted("team", 16)).is(201);

            untilLocked(
                            "tenant",
                            "team",
                            () -> api.put(GROUP, "{\"tenant\": \"team\", \"maxJobs\": 1}", "If-Match", "*"))
                    .is(200);
            untilLocked("tenant", "team", () -> api.put(RESERVATION, RESERVED.formatted("team", 17), "If-Match", "*"))
                    .is(200);
        }

        @Test
        void getsNothingMore() {
            String group = "{\"tenant\": \"team\"}";
            String reservation = RESERVED.formatted("team", 16);
            String preparation = """
                    {"kind": "DATA_PREPARATION", "tenant": "team", "owner": "ann", "name": "shuffle",
                     "spec": {"cpus": 8, "workingSetGiB": 64, "minLocalFraction": 0.5, "seconds": 1800,
                              "slowDown": {"points": [{"localFraction": 0.5, "factor": 1.6}, {"localFraction": 1, "factor": 1}]}}}
                    """;

            for (Supplier<Answer> request : List.<Supplier<Answer>>of(
                    () -> api.put(GROUP, group),
                    () -> api.put(RESERVATION, reservation),
                    () -> api.post("/api/v1/jobs", preparation))) {
                refused("/tenant", beside("delete from tenant where name = ?", "team", request));
                api.put("/api/v1/tenants/team", "{\"parent\": \"root\"}").is(201);
            }
        }
    }

    private static void refused(String pointer, Answer answer) {
        assertThat(answer.is(ProblemType.UNPROCESSABLE).at("/errors/0/pointer")).isEqualTo(pointer);
    }
}
