package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Requests that are wrong in one way each: a 4xx problem names the place, and no row comes or goes. */
class MalformedRequestTest extends ApiTest {
    private static final List<String> TABLES = List.of(
            "accelerator_type",
            "pool",
            "node",
            "tenant",
            "job_group",
            "reservation",
            "settings",
            "job",
            "job_event",
            "idempotency_key");
    private static final String JOBS = "/api/v1/jobs";
    private static final String UNKNOWN_JOB = JOBS + "/00000000-0000-0000-0000-000000000000";
    private static final String RESERVED = "{\"nodes\": [\"n0\"], \"start\": %s, \"end\": %s}";

    /**
     * A row of the table.
     *
     * @param place a JSON pointer, {@code ?parameter}, {@code Header:} or empty if no field is to blame
     */
    record Row(String method, String path, String body, int status, String place, List<String> headers) {
        Row(String method, String path, String body, int status, String place, String... headers) {
            this(method, path, body, status, place, List.of(headers));
        }

        @Override
        public String toString() {
            String text = body == null ? "" : body.length() > 90 ? body.substring(0, 90) + "..." : body;
            return "%d at %s: %s %s %s %s"
                    .formatted(status, place, method, path, text, String.join(" ", headers))
                    .replaceAll("\\p{C}", "?");
        }
    }

    private static Row submit(String pointer, String json) {
        return submit(pointer, json, pointer);
    }

    private static Row submit(String pointer, String json, String place) {
        return new Row("POST", JOBS, Submissions.with(pointer, json), 400, place);
    }

    private static Row crossed(String pointer, String json, String place) {
        return new Row("POST", JOBS, Submissions.with(pointer, json), 422, place);
    }

    private static Row without(String pointer) {
        String body = Submissions.json(tree -> {
            int slash = pointer.lastIndexOf('/');
            ((tools.jackson.databind.node.ObjectNode) tree.at(pointer.substring(0, slash)))
                    .remove(pointer.substring(slash + 1));
        });
        return new Row("POST", JOBS, body, 400, pointer);
    }

    private static Row raw(String body, String place) {
        return new Row("POST", JOBS, body, 400, place);
    }

    private static Row get(String path, int status, String place, String... headers) {
        return new Row("GET", path, null, status, place, headers);
    }

    private static Row put(String path, String body, int status, String place, String... headers) {
        return new Row("PUT", path, body, status, place, headers);
    }

    private static Row post(String path, String body, int status, String place, String... headers) {
        return new Row("POST", path, body, status, place, headers);
    }

    static Stream<Row> rows() {
        return Stream.of(
                        text(),
                        missing(),
                        types(),
                        ranges(),
                        crossed(),
                        names(),
                        parameters(),
                        headers(),
                        resources(),
                        progress())
                .flatMap(List::stream);
    }

    private static List<Row> text() {
        String start = Submissions.json().substring(0, Submissions.json().length() - 1);
        return List.of(
                raw("", ""),
                raw("{", ""),
                raw("[]", ""),
                raw("null", ""),
                raw("\"job\"", ""),
                raw("7", ""),
                raw("{}}", ""),
                raw("{\"owner\": \"a\",}", ""),
                raw("{\"owner\": NaN}", "/owner"),
                raw("{\"owner\": Infinity}", "/owner"),
                raw("{\"owner\": +1}", "/owner"),
                raw("{\"owner\": .5}", "/owner"),
                raw("{\"owner\": 'a'}", "/owner"),
                raw("{\"owner\": \"a\\q\"}", "/owner"),
                raw("{\"owner\": \"a\nb\"}", "/owner"),
                raw("{\"owner\": \"a\", \"owner\": \"b\"}", "/owner"),
                raw(start + ",\"spec\":{}}", "/spec"),
                raw(start + ",\"labels\":{\"a\":\"1\",\"a\":\"2\"}}", "/labels"),
                raw(start + ",\"bogus\":1}", "/bogus"),
                raw("[".repeat(200), "/0".repeat(64)),
                raw("{\"owner\": \"" + "x".repeat(200_000) + "\"}", "/owner"),
                raw("{\"owner\": " + "9".repeat(400) + "}", "/owner"),
                raw("\ufeff\ufeff{}", ""));
    }

    private static List<Row> missing() {
        return List.of(
                without("/name"),
                without("/spec"),
                without("/spec/work/amount"),
                without("/spec/profile/points"),
                without("/spec/profile/points/0/slots"),
                without("/spec/profile/points/0/samplesPerSecond"));
    }

    private static List<Row> types() {
        return List.of(
                submit("/owner", "7"),
                submit("/name", "null"),
                submit("/labels", "[]"),
                submit("/labels", "{\"a\": null}", "/labels/a"),
                submit("/spec", "null"),
                submit("/spec/kind", "\"BATCH\""),
                submit("/spec/work/unit", "\"samples\""),
                submit("/spec/work/amount", "\"90\""),
                submit("/spec/elasticity/maxSlots", "1.5"),
                submit("/spec/elasticity/maxSlots", "true"),
                submit("/spec/elasticity/powersOfTwo", "\"true\""),
                submit("/spec/elasticity/pools", "\"main\""),
                submit("/spec/elasticity/allowedCounts", "[1, null]", "/spec/elasticity/allowedCounts/1"),
                submit("/spec/profile/points", "{}"),
                submit("/spec/profile/points", "[[]]", "/spec/profile/points/0"),
                submit("/spec/profile/points/0/strategy", "\"RING\""),
                submit("/spec/efficiency", "[]"),
                submit("/spec/efficiency/table", "[1]", "/spec/efficiency/table/0"),
                submit("/spec/preemptible", "0"),
                submit("/deadline", "\"tomorrow\""),
                submit("/deadline", "1795284000"),
                submit("/deadline", "\"2099-13-01T00:00:00Z\""),
                submit("/deadline", "\"2099-01-01T00:00:00-19:32\""),
                submit("/deadline", "\"2099-01-01T00:00:00.1234567890Z\""),
                submit("/deadline", "\"2099-01-01\""));
    }

    private static List<Row> ranges() {
        return List.of(
                submit("/spec/work/amount", "0"),
                submit("/spec/work/amount", "-1"),
                submit("/spec/work/amount", "1e999"),
                submit("/spec/work/amount", "1e19"),
                submit("/spec/elasticity/minSlots", "0"),
                submit("/spec/elasticity/maxSlots", "99999999999999999999"),
                submit("/spec/elasticity/maxSlots", "2147483648"),
                submit("/spec/elasticity/maxSlots", "1e308"),
                submit("/spec/batch/max", "-1e308"),
                submit("/spec/work/amount", "1e308"),
                submit("/spec/elasticity/maxNodes", "0"),
                submit("/spec/batch/max", "-5"),
                submit("/spec/batch/max", "1000000000000"),
                submit("/spec/weight", "0"),
                submit("/spec/weight", "1e-300"),
                submit("/spec/priority", "11"),
                submit("/spec/priority", "-11"),
                submit("/spec/restartPenaltySeconds", "-0.5"),
                submit("/spec/minRunSeconds", "1e300"),
                submit("/spec/host", "{\"cpusPerSlot\": -1}", "/spec/host/cpusPerSlot"),
                submit("/spec/profile/points/0/slots", "0"),
                submit("/spec/profile/points/0/samplesPerSecond", "-1"),
                submit("/spec/profile/points/0/samplesPerSecond", "1e13"),
                submit(
                        "/spec/profile/ratios",
                        "[{\"acceleratorType\": \"V100\", \"like\": \"A100\", \"factor\": 0}]",
                        "/spec/profile/ratios/0/factor"),
                submit("/spec/efficiency/noiseScale", "-1"),
                submit(
                        "/spec/efficiency/table",
                        "[{\"batchSize\": 1, \"efficiency\": 1.1}]",
                        "/spec/efficiency/table/0/efficiency"),
                submit("/spec/elasticity/pools", "[\"a\", \"a\"]"));
    }

    private static List<Row> crossed() {
        return List.of(
                crossed("/tenant", "\"nobody\"", "/tenant"),
                crossed("/spec/group", "\"nowhere\"", "/spec/group"),
                crossed("/deadline", "\"1999-01-01T00:00:00Z\"", "/deadline"),
                crossed("/spec/elasticity/minSlots", "5", "/spec/elasticity/maxSlots"),
                crossed("/spec/batch/initial", "1", "/spec/batch/initial"),
                crossed("/spec/batch/max", "127", "/spec/batch/max"),
                crossed("/spec/work", "{\"unit\": \"EPOCHS\", \"amount\": 1}", "/spec/work"),
                crossed("/spec/synchronization", "{\"allReduce\": false}", "/spec/synchronization"),
                crossed(
                        "/spec/synchronization",
                        "{\"minAggregationSlots\": 2}",
                        "/spec/synchronization/maxAggregationSlots"),
                crossed("/spec/profile/points/0/nodes", "2", "/spec/profile/points/0/nodes"),
                crossed("/spec/profile/points/0/aggregationSlots", "1", "/spec/profile/points/0/aggregationSlots"),
                crossed(
                        "/spec/profile/points/0/strategy",
                        "\"PARAMETER_SERVER\"",
                        "/spec/profile/points/0/aggregationSlots"),
                crossed(
                        "/spec/profile/ratios",
                        "[{\"acceleratorType\": \"A100\", \"like\": \"A100\", \"factor\": 1}]",
                        "/spec/profile"),
                crossed(
                        "/spec/profile/ratios",
                        "[{\"acceleratorType\": \"V100\", \"like\": \"T4\", \"factor\": 1}]",
                        "/spec/profile"),
                crossed(
                        "/spec/efficiency/table",
                        "[{\"batchSize\": 8, \"efficiency\": 1}, {\"batchSize\": 8, \"efficiency\": 0.5}]",
                        "/spec/efficiency"));
    }

    private static List<Row> names() {
        return List.of(
                submit("/owner", "\"\""),
                submit("/owner", "\"   \""),
                submit("/owner", "\"a\\u0000b\""),
                half("\\ud800b"),
                half("\\udc00"),
                submit("/owner", "\"a\\tb\""),
                submit("/owner", "\"" + "x".repeat(257) + "\""),
                submit("/externalId", "\"\""),
                submit("/labels", "{\"\": \"a\"}", "/labels/"),
                submit("/labels", "{\"a\": \"\\u0000\"}", "/labels/a"),
                submit("/labels", "{\"a\\u0000\": \"b\"}"),
                submit("/labels", "{\"a\": \"" + "x".repeat(257) + "\"}", "/labels/a"),
                submit("/tenant", "\"a/b\""),
                submit("/spec/group", "\"a/b\""),
                submit("/spec/group", "\"\""),
                submit("/spec/group", "7"),
                submit("/spec/group", "[\"g\"]"),
                submit("/tenant", "\"../root\""),
                submit("/spec/elasticity/pools", "[\"\"]", "/spec/elasticity/pools/0"),
                submit("/spec/profile/points/0/acceleratorType", "\"A 100\""));
    }

    /** Half a surrogate pair can only be sent escaped. */
    private static Row half(String escaped) {
        return raw(Submissions.with("/owner", "\"@\"").replace("@", escaped), "/owner");
    }

    private static List<Row> parameters() {
        return List.of(
                get(JOBS + "?limit=0", 400, "?limit"),
                get(JOBS + "?limit=501", 400, "?limit"),
                get(JOBS + "?limit=-1", 400, "?limit"),
                get(JOBS + "?limit=ten", 400, "?limit"),
                get(JOBS + "?limit=", 400, "?limit"),
                get(JOBS + "?limit", 400, "?limit"),
                get(JOBS + "?limit=99999999999999999999", 400, "?limit"),
                get(JOBS + "?limit=1&limit=2", 400, "?limit"),
                get(JOBS + "?cursor=%21", 400, "?cursor"),
                get(JOBS + "?cursor=YWJj", 400, "?cursor"),
                get(JOBS + "?cursor=AA", 400, "?cursor"),
                get(JOBS + "?state=running", 400, "?state"),
                get(JOBS + "?tenant=%00", 400, "?tenant"),
                get(JOBS + "?tenant=%ff", 400, "?tenant"),
                get(JOBS + "?label=novalue", 400, "?label"),
                get(JOBS + "?label=a%3D%00", 400, "?label"),
                get(JOBS + "?bogus=1", 400, "?bogus"),
                get(JOBS + "?Limit=5", 400, "?Limit"),
                get("/keyed/aggregation/5b1f6f0e-8c1e-4c55-9a5b-0e6f3a1d7c42/shard-locations?run=%00", 400, "?run"),
                get(
                        "/keyed/aggregation/5b1f6f0e-8c1e-4c55-9a5b-0e6f3a1d7c42/shard-locations?run=a&%00=b",
                        400, "?\u0000"),
                get(JOBS + "/abc", 400, "?id"),
                get(JOBS + "/%00", 400, ""),
                get(UNKNOWN_JOB.replace("0", "A"), 400, "?id"),
                get(UNKNOWN_JOB, 404, ""),
                get(UNKNOWN_JOB + "/events?after=1", 400, "?after"),
                get("/api/v1/pools/" + "x".repeat(129), 400, "?name"),
                get("/api/v1/pools/a%20b", 400, "?name"),
                get("/api/v1/pools/%C3%A4", 400, "?name"),
                get("/api/v1/nothing", 404, ""),
                get("/api/v2/jobs", 404, ""),
                get("/api/v1/jobs;v=1", 404, ""),
                get(JOBS + "/", 404, ""),
                get(UNKNOWN_JOB + "/", 404, ""),
                new Row("DELETE", JOBS, null, 405, ""),
                new Row("DELETE", "/api/v1/settings", null, 405, ""),
                new Row("TRACE", JOBS, null, 405, ""),
                new Row("BREW", JOBS, null, 405, ""));
    }

    private static List<Row> headers() {
        String body = Submissions.json();
        return List.of(
                post(JOBS, body, 415, "Content-Type:", "Content-Type", "text/plain"),
                post(JOBS, body, 415, "Content-Type:", "Content-Type", "application/x-www-form-urlencoded"),
                post(JOBS, body, 415, "Content-Type:", "Content-Type", "application/json; charset=utf-16"),
                post(JOBS, body, 415, "Content-Type:", "Content-Type", "application/json; charset=klingon"),
                post(JOBS, body, 415, "Content-Type:", "Content-Type", "json"),
                post(JOBS, body, 415, "Content-Encoding:", "Content-Encoding", "gzip"),
                post(JOBS, body, 406, "Accept:", "Accept", "text/html"),
                post(JOBS, body, 406, "Accept:", "Accept", "nonsense"),
                post(JOBS, body, 406, "Accept:", "Accept", "application/json;q=0"),
                post(JOBS, body, 400, "Idempotency-Key:", "Idempotency-Key", ""),
                post(JOBS, body, 400, "Idempotency-Key:", "Idempotency-Key", "\"open"),
                post(JOBS, body, 400, "Idempotency-Key:", "Idempotency-Key", "k".repeat(300)),
                post(JOBS, body, 400, "Idempotency-Key:", "Idempotency-Key", "a", "Idempotency-Key", "b"),
                post(JOBS, body, 401, "", "Origin", "https://elsewhere.example"),
                post(UNKNOWN_JOB + "/cancel", "{}", 400, ""),
                get("/api/v1/settings", 406, "Accept:", "Accept", "application/xml"),
                put("/api/v1/settings", "{\"roundSeconds\": 9}", 428, "If-Match:"),
                put("/api/v1/settings", "{}", 412, "If-Match:", "If-Match", "\"8\""),
                put("/api/v1/settings", "{}", 412, "If-Match:", "If-Match", "0"));
    }

    private static List<Row> resources() {
        return List.of(
                put("/api/v1/pools/p", "{\"name\": \"q\"}", 422, "/name"),
                put("/api/v1/pools/p", "{\"wholeNodes\": 1}", 400, "/wholeNodes"),
                put("/api/v1/pools/p", "{}", 412, "If-Match:", "If-Match", "\"1\""),
                put("/api/v1/pools/p", "{}", 400, "If-None-Match:", "If-None-Match", "\"1\""),
                put("/api/v1/pools/main", "{\"wholeNodes\": true}", 428, "If-Match:"),
                put("/api/v1/accelerator-types/T", "{\"memoryGiB\": -1}", 400, "/memoryGiB"),
                put("/api/v1/nodes/n9", "{}", 400, "/pool"),
                put("/api/v1/nodes/n9", "{\"pool\": \"nowhere\"}", 422, "/pool"),
                put("/api/v1/nodes/n9", "{\"pool\": \"main\", \"acceleratorType\": \"T\"}", 422, "/acceleratorType"),
                put("/api/v1/nodes/n9", "{\"pool\": \"main\", \"devices\": [\"a\", \"a\"]}", 400, "/devices"),
                put("/api/v1/nodes/n9", "{\"pool\": \"main\", \"devices\": [\"a b\"]}", 400, "/devices/0"),
                put("/api/v1/nodes/n9", "{\"pool\": \"main\", \"devices\": [\"a\"]}", 422, ""),
                put("/api/v1/nodes/n9", "{\"pool\": \"main\", \"state\": \"GONE\"}", 400, "/state"),
                put("/api/v1/nodes/n9", "{\"pool\": \"main\", \"cpus\": 1e400}", 400, "/cpus"),
                new Row("PATCH", "/api/v1/nodes/n0", "{}", 400, "", "If-Match", "*"),
                new Row("PATCH", "/api/v1/nodes/n0", "{\"id\": \"x\"}", 400, "/id", "If-Match", "*"),
                new Row("PATCH", "/api/v1/nodes/n0", "{\"pool\": null}", 400, "/pool", "If-Match", "*"),
                new Row("PATCH", "/api/v1/nodes/n0", "{\"pool\": \"nowhere\"}", 422, "/pool", "If-Match", "*"),
                new Row("PATCH", "/api/v1/nodes/n0", "{\"rack\": \"r\"}", 428, "If-Match:"),
                new Row("DELETE", "/api/v1/pools/main", null, 409, ""),
                new Row("DELETE", "/api/v1/pools/none", null, 404, ""),
                new Row("DELETE", "/api/v1/pools/main", null, 412, "If-Match:", "If-Match", "\"5\""),
                put("/api/v1/groups/g", "{\"maxSlots\": -1}", 400, "/maxSlots"),
                put("/api/v1/groups/g", "{\"maxSlots\": 1.5}", 400, "/maxSlots"),
                put("/api/v1/groups/g", "{\"maxSlots\": \"4\"}", 400, "/maxSlots"),
                put("/api/v1/groups/g", "{\"maxSlots\": NaN}", 400, "/maxSlots"),
                put("/api/v1/groups/g", "{\"maxSlots\": 1e308}", 400, "/maxSlots"),
                put("/api/v1/groups/g", "{\"maxJobs\": 10000001}", 400, "/maxJobs"),
                put("/api/v1/groups/g", "{\"maxJobs\": []}", 400, "/maxJobs"),
                put("/api/v1/groups/g", "{\"maxSlots\": 1, \"maxSlots\": 2}", 400, "/maxSlots"),
                put("/api/v1/groups/g", "{\"tenant\": 7}", 400, "/tenant"),
                put("/api/v1/groups/g", "{\"tenant\": \"nobody\"}", 422, "/tenant"),
                put("/api/v1/groups/g", "{\"name\": \"h\"}", 422, "/name"),
                put("/api/v1/groups/g", "{\"jobs\": []}", 400, "/jobs"),
                put("/api/v1/groups/%20g", "{}", 400, "?name"),
                put("/api/v1/tenants/t", "{\"parent\": \"t\"}", 422, "/parent"),
                put("/api/v1/tenants/t", "{\"parent\": \"none\"}", 422, "/parent"),
                put("/api/v1/tenants/t", "{\"weight\": 0}", 400, "/weight"),
                put("/api/v1/tenants/t", "{\"quotas\": {\"X\": {\"nominal\": 1}}}", 422, "/quotas/X"),
                put("/api/v1/tenants/t", "{\"quotas\": {\"A100\": {\"nominal\": -1}}}", 400, "/quotas/A100/nominal"),
                put("/api/v1/reservations/r", RESERVED.formatted("1", "2"), 400, "/start"),
                put(
                        "/api/v1/reservations/r",
                        RESERVED.formatted("\"2030-01-02T00:00:00Z\"", "\"2030-01-01T00:00:00Z\""),
                        422,
                        "/end"),
                put(
                        "/api/v1/reservations/r",
                        RESERVED.replace("n0", "n7").formatted("\"2030-01-01T00:00:00Z\"", "\"2030-01-02T00:00:00Z\""),
                        422,
                        "/nodes/0"),
                put(
                        "/api/v1/settings",
                        "{\"planning\": {\"objective\": {\"exponent\": 0}}}",
                        400,
                        "/planning/objective/exponent",
                        "If-Match",
                        "*"),
                put(
                        "/api/v1/settings",
                        "{\"planning\": {\"objective\": {\"queueLimits\": [2, 1]}}}",
                        422,
                        "/planning/objective/queueLimits",
                        "If-Match",
                        "*"),
                put("/api/v1/settings", "{\"roundSeconds\": 0}", 400, "/roundSeconds", "If-Match", "*"));
    }

    private static List<Row> progress() {
        String path = UNKNOWN_JOB + "/progress";
        String report = "{\"generation\": %s, \"seq\": %s, \"samplesTotal\": %s, \"state\": %s}";
        return List.of(
                post(path, report.formatted(0, 1, 1, "\"RUNNING\""), 400, "/generation"),
                post(path, report.formatted(1, 0, 1, "\"RUNNING\""), 400, "/seq"),
                post(path, report.formatted(1, 1, -1, "\"RUNNING\""), 400, "/samplesTotal"),
                post(path, report.formatted(1, 1, "1e300", "\"RUNNING\""), 400, "/samplesTotal"),
                post(path, report.formatted(1, 1, 1, "\"PAUSED\""), 400, "/state"),
                post(path, report.formatted("9223372036854775808", 1, 1, "\"RUNNING\""), 400, "/generation"),
                post(path, report.formatted(1, 1, 1, "\"RUNNING\""), 404, ""),
                put(UNKNOWN_JOB + "/profile", "{}", 400, "/points", "If-Match", "*"));
    }

    @BeforeEach
    void registerACluster() {
        cluster(4);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isAnsweredWithAProblemThatNamesThePlace(Row row) {
        Map<String, Long> before = counts();

        var answer = api.send(
                        row.method(), row.path(), row.body(), row.headers().toArray(String[]::new))
                .is(row.status());

        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        JsonNode problem = answer.json();
        assertThat(problem.path("status").intValue()).isEqualTo(row.status());
        if (!row.place().isEmpty()) {
            assertThat(places(problem)).as(answer.text()).contains(row.place());
        }
        assertThat(counts()).isEqualTo(before);
    }

    private static List<String> places(JsonNode problem) {
        List<String> places = new ArrayList<>();
        for (JsonNode error : problem.path("errors")) {
            if (error.has("pointer")) {
                places.add(error.path("pointer").asString());
            } else if (error.has("parameter")) {
                places.add("?" + error.path("parameter").asString());
            } else if (error.has("header")) {
                places.add(error.path("header").asString() + ":");
            }
        }
        return places;
    }

    private Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        TABLES.forEach(table -> counts.put(table, count(table)));
        return counts;
    }
}
